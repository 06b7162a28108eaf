import FileProviding
import Foundation

/// A gallery server's refusal.
public struct GalleryError: FileProviderHTTPError {
    /// The status, any integer.
    public let statusCode: Int
    /// The image or category that the request was about.
    public let path: String
    /// The server's message, if it answered with one line of plain text.
    public let serverDescription: String?

    /// Creates the error for a refusal; `data` is the beginning of the reply's body.
    public init(status: Int, path: String, data: Data?) {
        statusCode = status
        self.path = path
        serverDescription = data.flatMap { String(validating: $0, as: UTF8.self)?.prefix(200) }.flatMap { text in
            let isPlain = !text.isEmpty && !text.contains { "<{[".contains($0) || $0.isNewline }
            return isPlain ? String(text) : nil
        }
    }
}
