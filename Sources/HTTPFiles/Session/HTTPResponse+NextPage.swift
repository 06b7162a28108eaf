import FileProviding
import Foundation

extension HTTPResponse {
    /// Returns the next page of a list, as named by the reply's `Link` fields (RFC 8288, section 3): `<…?page=2>;
    /// rel="next"`. `nil` for the last page.
    ///
    /// - Throws: `URLError(.badServerResponse)` for a page of another origin than the reply's.
    public func nextPage() throws -> URL? {
        guard let reference = headers.values("Link").lazy.compactMap(Self.nextReference).first else { return nil }
        guard let page = URL(string: reference, relativeTo: url)?.absoluteURL, Origin(page) == Origin(url) else {
            throw urlError(url, code: .badServerResponse, reason: "the next page of the list is on another server")
        }
        return page
    }

    /// Returns the first target among a field's links whose relation is "next".
    private static func nextReference(in field: String) -> String? {
        var rest = field[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let end = rest[close...].firstIndex(of: "<") ?? rest.endIndex
            if isNext(rest[close..<end].dropFirst()) { return String(rest[open..<close].dropFirst()) }
            rest = rest[end...]
        }
        return nil
    }

    /// Returns whether a link's parameters contain `rel=next`, quoted or not, alone or among other relations.
    private static func isNext(_ parameters: Substring) -> Bool {
        parameters.split(whereSeparator: { ";,".contains($0) }).contains { parameter in
            let halves = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, halves[0].lowercased() == "rel" else { return false }
            let relations = halves[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")).lowercased()
            return relations.split(separator: " ").contains("next")
        }
    }
}
