import FileProviding
import Foundation

/// The bytes of a request, as libcurl requests them on the loop's thread.
protocol UploadSource: AnyObject, Sendable {
    /// The number of bytes, if known.
    var length: Int64? { get }
    /// All bytes, if they are so few that libcurl is given them at once and does not request them.
    var inlineBytes: Data? { get }
    /// Copies the next bytes; returns 0 at the end, `nil` when more are to come but none is available yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int?
    /// Goes back to the first byte. Returns whether that was possible.
    func rewind() -> Bool
    /// Releases the source; nothing is read any more.
    func close()
}

extension UploadSource {
    var inlineBytes: Data? { nil }
}

/// A request's bytes that are in memory.
final class BytesSource: UploadSource, @unchecked Sendable {  // Only the loop's thread moves `position`.
    /// Bodies up to this size are written together with the head: that spares both ends a system call, and a server
    /// that has read the head alone a wait for the rest.
    static let inlineLimit = 64 << 10

    private let bytes: Data
    private var position = 0

    init(_ bytes: Data) { self.bytes = bytes }

    var length: Int64? { Int64(bytes.count) }
    var inlineBytes: Data? { bytes.count <= Self.inlineLimit ? bytes : nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = min(buffer.count, bytes.count - position)
        let start = bytes.startIndex + position
        bytes.copyBytes(to: buffer.bindMemory(to: UInt8.self), from: start..<start + count)
        position += count
        return count
    }

    func rewind() -> Bool {
        position = 0
        return true
    }

    func close() {}
}

/// A request's bytes that are in an open local file, read on the loop's thread.
final class FileSource: UploadSource, @unchecked Sendable {  // Only the loop's thread moves `position`.
    private let slice: ByteStream.LocalFileSlice
    private var position: Int64

    init(_ slice: ByteStream.LocalFileSlice) {
        self.slice = slice
        position = slice.range.lowerBound
    }

    var length: Int64? { Int64(slice.range.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count = Int(min(Int64(buffer.count), slice.range.upperBound - position))
        guard count > 0 else { return 0 }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        let got = try slice.read(into: part, at: position)
        guard got == count else { throw sourceEndedEarly() }
        position += Int64(got)
        return got
    }

    func rewind() -> Bool {
        position = slice.range.lowerBound
        return true
    }

    func close() {}
}

extension ByteStream.LocalFileSlice {
    /// Reads all bytes, for a slice that is short enough for memory.
    func bytes() throws -> Data {
        var bytes = Data(count: range.count)
        let count = try bytes.withUnsafeMutableBytes { try read(into: $0, at: range.lowerBound) }
        guard count == range.count else { throw sourceEndedEarly() }
        return bytes
    }
}

/// Returns the error for a source with fewer bytes than announced: the request must not end as if they were all.
func sourceEndedEarly() -> CocoaError {
    cocoaError("the source", code: .fileWriteUnknown, reason: "it ended before its announced length")
}
