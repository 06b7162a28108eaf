import Foundation

extension FileQuery {
    /// An ICU regular expression that has to match the whole text.
    struct RegularExpression: Sendable {
        private let expression: NSRegularExpression
        private let removesMarks: Bool

        /// ICU reports its progress about every 10,000 backtracking steps; after this many reports the match is
        /// abandoned.
        private static let patience = 20

        /// - Throws: `CocoaError(.formatting)` if the pattern is not a regular expression.
        init(_ pattern: String, _ options: Options) throws {
            removesMarks = options.contains(.diacriticInsensitive)
            let pattern = removesMarks ? pattern.folded(.diacriticInsensitive) : pattern
            do {
                // Compile it by itself first: "a)|(b" would become valid inside the group. (Foundation does not accept
                // an empty pattern.)
                if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern) }
                expression = try NSRegularExpression(
                    pattern: "\\A(?:\(pattern))\\z", options: options.contains(.caseInsensitive) ? .caseInsensitive : []
                )
            } catch {
                throw CocoaError(
                    .formatting,
                    userInfo: [
                        NSLocalizedDescriptionKey: "\"\(pattern)\" is not a regular expression",
                        NSUnderlyingErrorKey: error,
                    ])
            }
        }

        func matches(_ text: String) -> Bool {
            let text = removesMarks ? text.folded(.diacriticInsensitive) : text
            var found = false
            var reports = 0
            let all = NSRange(location: 0, length: text.utf16.count)
            expression.enumerateMatches(in: text, options: .reportProgress, range: all) { match, _, stop in
                reports += 1
                found = match != nil
                if found || reports > Self.patience { stop.pointee = true }
            }
            return found
        }
    }
}
