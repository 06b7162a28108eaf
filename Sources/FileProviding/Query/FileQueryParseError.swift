import Foundation

/// What is wrong with the text of a query, and where.
///
/// `localizedDescription` is one line; `description` adds the text with a caret under the error.
public struct FileQueryParseError: LocalizedError, CustomStringConvertible, Sendable, Hashable {
    /// What is wrong.
    public let message: String

    /// The text that was parsed.
    public let text: String

    /// The number of characters before the error.
    public let position: Int

    init(_ message: String, in text: String, utf8Offset: Int) {
        self.message = message
        self.text = text
        position = String(decoding: text.utf8.prefix(utf8Offset), as: UTF8.self).count
    }

    /// The message and the column, counted from 1.
    public var errorDescription: String? {
        "\(message) (column \(position + 1))"
    }

    /// The message, the text around the error, and a caret below it.
    public var description: String {
        let start = max(0, position - 40)
        let excerpt = text.dropFirst(start).prefix(76).map { $0.isVisible ? $0 : " " }
        let caret = String(repeating: " ", count: position - start) + "^"
        return "\(message) (column \(position + 1))\n    \(String(excerpt))\n    \(caret)"
    }
}

extension Character {
    /// Whether the character takes a column: it is not a line break, a tab or another control character.
    fileprivate var isVisible: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } && !isNewline
    }
}
