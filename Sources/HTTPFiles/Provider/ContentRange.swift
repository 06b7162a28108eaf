import FileProviding

/// The `Content-Range` of a reply (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The bytes that follow, or `nil` in a 416's `bytes */size`.
    var range: Range<Int64>?
    /// The whole file's size, or `nil` for `*`.
    var size: Int64?

    init?(_ text: String) {
        // Some servers leave the unit out.
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard let range = parts.last, parts.count == 1 || parts.count == 2 && parts[0].lowercased() == "bytes" else {
            return nil
        }
        let halves = range.split(separator: "/")
        guard halves.count == 2 else { return nil }
        size = Int64(halves[1])
        if let size, size < 0 { return nil }
        guard halves[0] != "*" else { return }
        let ends = halves[0].split(separator: "-")
        guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0, last >= first,
            last < .max, size.map({ last < $0 }) ?? true
        else { return nil }
        self.range = first..<(last + 1)
    }
}

extension ByteRange {
    /// The `Range` header's value (RFC 9110, section 14.2), `nil` for the whole file and for no bytes at all.
    var headerValue: String? {
        switch self {
        case .all: nil
        case .from(let offset): offset == 0 ? nil : "bytes=\(offset)-"
        case .range(let range): range.isEmpty ? nil : "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        case .last(let count): count == 0 ? nil : "bytes=-\(count)"
        }
    }

    /// Whether no byte is requested, whatever the file's size.
    var isAlwaysEmpty: Bool {
        switch self {
        case .range(let range): range.isEmpty
        case .last(let count): count == 0
        case .all, .from: false
        }
    }
}
