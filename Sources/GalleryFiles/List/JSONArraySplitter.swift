import Foundation

/// Splits a JSON array (RFC 8259) that arrives in pieces between its elements, so that each piece can be decoded at
/// once.
///
/// It considers only brackets, strings and commas; whether the elements are valid JSON is left to the decoder.
struct JSONArraySplitter {
    /// The reason why the text is not an array of elements.
    enum Problem: Error {
        case isWebPage, isNoArray, endsEarly, isTooLarge
    }

    /// The largest element, in bytes.
    private static let longestElement = 1 << 20

    private var pending: [UInt8] = [UInt8(ascii: "[")]
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var hasEnded = false
    /// Whether something follows the last comma.
    private var hasElement = false
    private var hasComma = false

    /// Consumes the next bytes; returns an array of the elements that are complete now, or `nil` if there are none.
    mutating func append(_ bytes: Data) throws(Problem) -> Data? {
        let start = pending.count
        let (kept, cut) = try bytes.withUnsafeBytes { buffer in Result { () throws(Problem) in try scan(buffer) } }
            .get()
        pending.append(contentsOf: bytes.dropFirst(kept.lowerBound).prefix(kept.count))
        guard let cut else {
            guard pending.count <= Self.longestElement else { throw .isTooLarge }
            return nil
        }
        let end = start + cut - kept.lowerBound
        let json = Data(pending[..<end]) + [UInt8(ascii: "]")]
        pending.removeSubrange(1...end)
        guard pending.count <= Self.longestElement else { throw .isTooLarge }
        return json
    }

    /// Returns an array of the remaining elements.
    mutating func finish() throws(Problem) -> Data {
        guard hasEnded else { throw .endsEarly }
        return Data(pending) + [UInt8(ascii: "]")]
    }

    /// Scans bytes of the array.
    ///
    /// - Returns: which of the bytes belong to the array, and the position of the last comma between two elements.
    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> (kept: Range<Int>, cut: Int?) {
        var (first, end) = (depth == 0 ? bytes.count : 0, bytes.count)
        var cut: Int?
        for (index, byte) in bytes.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            case _ where hasEnded: throw .isNoArray
            case UInt8(ascii: "[") where depth == 0:
                (depth, first) = (1, index + 1)
                continue
            case UInt8(ascii: "<") where depth == 0: throw .isWebPage
            case _ where depth == 0: throw .isNoArray
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]") where depth == 1:
                guard hasElement || !hasComma else { throw .isNoArray }
                (depth, end, hasEnded) = (0, index, true)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(1, depth - 1)
            case UInt8(ascii: ",") where depth == 1:
                guard hasElement else { throw .isNoArray }
                (cut, hasComma, hasElement) = (index, true, false)
                continue
            default: break
            }
            hasElement = true
        }
        return (min(first, end)..<end, cut)
    }
}
