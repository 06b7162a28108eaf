import FileProviding
import Foundation

/// The reason why a reply cannot be parsed.
enum MultistatusFailure {
    case empty
    case html
    case notXML
    case wrongRoot(String, expected: DAVElement)
    case entities
    case malformed(String, line: Int)
    case truncated
    case noResponse
    case tooDeep(Int)
    case textTooLong(Int)
    case tooManyNames(Int)
    case responseTooLong(Int)

    /// Returns the error to throw, with a message that is understandable on its own.
    func error(_ url: URL?) -> URLError { urlError(url, code: .cannotParseResponse, reason: reason) }

    private var reason: String {
        switch self {
        case .empty: "the reply is empty"
        case .html: "HTML instead of a multistatus: is this a login page?"
        case .notXML: "the reply is not XML"
        case .wrongRoot(let name, let root):
            "the reply is <\(name.prefix(64))> instead of <\(root.names[0].localName)> in DAV:"
        case .entities: "the reply declares a document type or entities, which is not allowed"
        case .malformed(let message, let line): "malformed XML in line \(line): \(message)"
        case .truncated: "the reply ends in the middle"
        case .noResponse: "a multistatus without any response"
        case .tooDeep(let limit): "elements nested more than \(limit) deep"
        case .textTooLong(let limit): "an element's text is longer than \(limit) bytes"
        case .tooManyNames(let limit): "more than \(limit) different names"
        case .responseTooLong(let limit): "one response is longer than \(limit) bytes"
        }
    }
}
