import FileProviding
import Foundation

/// A WebDAV server's refusal.
public struct WebDAVError: FileProviderHTTPError {
    /// The status, any integer.
    public let statusCode: Int
    /// The item that the request was about.
    public let path: String
    /// The server's message: a `DAV:error`'s message and precondition, or the beginning of a plain text.
    public let serverDescription: String?

    /// Creates the error for a refusal; `data` is the beginning of the reply's body.
    public init(status: Int, path: String, data: Data?) {
        statusCode = status
        self.path = path
        serverDescription = data.flatMap(Self.words)
    }

    /// Creates the error for a refusal whose message did not come as a `DAV:error`.
    init(status: Int, path: String, words: String?) {
        statusCode = status
        self.path = path
        serverDescription = words
    }

    /// Returns the server's message for people; a page of HTML contains nothing that a terminal could show.
    private static func words(in body: Data) -> String? {
        if let problem = DAVProblem(errorBody: body) {
            let words = [problem.message, problem.precondition.map { "condition: \($0)" }].compactMap { $0 }
            return words.isEmpty ? nil : words.joined(separator: "; ")
        }
        guard let text = String(validating: body.prefix(64 << 10), as: UTF8.self), !text.contains("<") else {
            return nil
        }
        let line = text.prefix(200).split(whereSeparator: \.isNewline).joined(separator: " ").trimmingCharacters(
            in: .whitespaces)
        return line.isEmpty ? nil : line
    }
}

extension Error {
    /// Whether a request may have been carried out without a reply: the connection broke, or a gateway answered.
    var isAnswerMissing: Bool {
        [.networkConnectionLost, .timedOut].contains((self as? URLError)?.code)
            || httpStatus.map(HTTPStatus.isReplyMissing) ?? false
    }
}
