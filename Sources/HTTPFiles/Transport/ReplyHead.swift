import Foundation

/// Collects a reply's head from the lines that libcurl hands over.
struct ReplyHead {
    /// The result of consuming a line.
    enum Step {
        /// More lines follow, or the line was a trailer.
        case more
        /// The head of the actual reply is complete.
        case complete
    }

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// The number of bytes of all lines, including those of interim replies and trailers.
    private(set) var bytes = 0
    /// Whether the server sent `100 Continue`.
    private(set) var sawContinue = false
    /// Whether the head of the actual reply is complete.
    private(set) var isComplete = false

    mutating func consume(_ line: UnsafeRawBufferPointer) -> Step {
        bytes += line.count
        let text = line.trimmingLineBreak
        if text.isEmpty { return endOfLines() }
        if text.starts(with: "HTTP/".utf8) {
            status = Self.status(of: text)
            headers = HTTPHeaders(capacity: 12)
            isComplete = false
        } else if !isComplete, let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(
                String(decoding: text[..<colon], as: UTF8.self),
                String(decoding: trimmed(text[(colon + 1)...]), as: UTF8.self))
        }
        return .more
    }

    private mutating func endOfLines() -> Step {
        if status == 100 { sawContinue = true }
        guard status >= 200, !isComplete else { return .more }
        isComplete = true
        return .complete
    }

    /// Returns the number after the first space: `HTTP/1.1 207 Multi-Status`.
    private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
        line.drop { $0 != 32 }.drop { $0 == 32 }.prefix { (48...57).contains($0) }.prefix(9)
            .reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var trimmingLineBreak: Slice<UnsafeRawBufferPointer> {
        var end = count
        while end > 0, self[end - 1] == 10 || self[end - 1] == 13 { end -= 1 }
        return self[..<end]
    }
}
