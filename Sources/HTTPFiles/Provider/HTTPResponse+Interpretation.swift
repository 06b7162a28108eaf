import FileProviding
import Foundation

extension HTTPResponse {
    /// Does the work of a hook that reads this reply. A `DecodingError`, which says nothing about where it comes from,
    /// becomes `URLError(.cannotParseResponse)`.
    func interpreted<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as DecodingError {
            throw urlError(
                url, code: .cannotParseResponse,
                reason: isWebPage ? "it is a web page, perhaps a login form" : error.shortReason, underlying: error)
        }
    }
}

extension DecodingError {
    /// What is wrong, in a few words, and where.
    fileprivate var shortReason: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.place(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context): "\(Self.place(context.codingPath)) is null"
        case .typeMismatch(_, let context): "\(Self.place(context.codingPath)) is of another type"
        case .dataCorrupted(let context): "\(Self.place(context.codingPath)) is not valid"
        @unknown default: "it is not valid"
        }
    }

    /// Returns a path such as `items[3].name`.
    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "it" }
        let text = path.reduce(into: "") { text, key in
            text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
        }
        return "“\(text)”"
    }
}
