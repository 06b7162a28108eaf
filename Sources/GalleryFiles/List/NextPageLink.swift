import Foundation
import HTTPFiles

/// Finds the next page's URL in `Link` headers (RFC 8288, section 3): `<…?page=2>; rel="next"`.
enum NextPageLink {
    /// The URL, resolved against the reply's own, or `nil` when this was the last page.
    static func find(in response: HTTPResponse) -> URL? {
        for field in response.headers.values("Link") {
            var rest = field[...]
            while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
                let target = rest[rest.index(after: open)..<close]
                let end = rest[close...].firstIndex(of: "<") ?? rest.endIndex
                if isNext(rest[rest.index(after: close)..<end]) {
                    return URL(string: String(target), relativeTo: response.url)?.absoluteURL
                }
                rest = rest[end...]
            }
        }
        return nil
    }

    /// Whether a link's parameters say `rel=next`, quoted or not, alone or among other relations.
    private static func isNext(_ parameters: Substring) -> Bool {
        parameters.split(whereSeparator: { ";,".contains($0) }).contains { parameter in
            let halves = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, halves[0].lowercased() == "rel" else { return false }
            let relations = halves[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")).lowercased()
            return relations.split(separator: " ").contains("next")
        }
    }
}
