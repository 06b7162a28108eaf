/// The texts of a response's elements, in one buffer: a code, four bytes of length and the text, one after another.
///
/// Nothing is decoded before it is accessed, and keeping a response costs one allocation.
struct DAVValues: Sendable, Equatable {
    private static let headerLength = 5

    private var bytes: [UInt8] = []
    private var openStart = 0

    init() {}

    /// Creates a buffer with one element's text.
    init(_ code: UInt8, _ text: UnsafeRawBufferPointer) {
        open(code)
        bytes.append(contentsOf: text)
        close()
    }

    /// The total number of bytes, which is a position for ``truncate(to:)``.
    var count: Int { bytes.count }

    /// The number of bytes of the text begun last.
    var openLength: Int { bytes.count - openStart - Self.headerLength }

    /// The code of the text begun last.
    var openCode: UInt8? { openStart < bytes.count ? bytes[openStart] : nil }

    /// Begins an element's text.
    mutating func open(_ code: UInt8) {
        openStart = bytes.count
        bytes.append(code)
        for _ in 1..<Self.headerLength { bytes.append(0) }
    }

    /// Continues the text begun last.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    /// Ends the text begun last.
    mutating func close() {
        let length = UInt32(openLength)
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: length, toByteOffset: openStart + 1, as: UInt32.self) }
    }

    /// Reads the text begun last, and removes it.
    mutating func takeOpen<Value>(_ read: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { truncate(to: openStart) }
        return bytes.withUnsafeBytes { read(UnsafeRawBufferPointer(rebasing: $0[(openStart + Self.headerLength)...])) }
    }

    /// Removes everything from `position` on, and keeps the memory.
    mutating func truncate(to position: Int) { bytes.removeLast(bytes.count - position) }

    /// Returns the same values in a buffer that is no larger than necessary.
    func compact() -> DAVValues {
        var copy = DAVValues()
        copy.bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        return copy
    }

    /// Calls `body` with each code and text.
    @inline(__always)
    func forEach(_ body: (UInt8, UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                let text = Self.text(at: position, in: bytes)
                body(bytes[position], text)
                position += Self.headerLength + text.count
            }
        }
    }

    /// Calls `body` with the first text of this code, or with no bytes.
    @inline(__always)
    func withFirst<Result>(_ code: UInt8, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                let text = Self.text(at: position, in: bytes)
                if bytes[position] == code { return try body(text) }
                position += Self.headerLength + text.count
            }
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    @inline(__always)
    private static func text(at position: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let length = Int(bytes.loadUnaligned(fromByteOffset: position + 1, as: UInt32.self))
        let start = position + headerLength
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    }
}
