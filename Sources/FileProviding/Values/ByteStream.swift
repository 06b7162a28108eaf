import Foundation

/// A stream of bytes to write or to read: pulled chunk by chunk, never held as a whole.
///
/// Iterate it with `for try await chunk in stream`. A stream that ``isReplayable`` can be iterated again from its
/// start, which allows a failed upload to be repeated; any other stream gives its bytes once, and iterating it again
/// throws. When ``length`` is known but the stream ends early or late, the write fails and nothing appears under the
/// final name.
public struct ByteStream: Sendable {
    /// Returns the next chunk, or `nil` at the end. Called by one reader at a time.
    public typealias Next = @Sendable () async throws -> Data?

    /// The number of bytes, or `nil` while it is unknown.
    public let length: Int64?
    /// Whether iteration can begin again from the start.
    public let isReplayable: Bool
    /// Whether the bytes are already available, in memory or a local file, so that sending them waits for nothing.
    package let isImmediate: Bool
    /// The open file that holds the bytes, for a transport that reads it on its own thread.
    public let localFile: LocalFileSlice?
    private let open: @Sendable () async throws -> Next

    /// Creates a stream that is opened again for each iteration.
    public init(length: Int64?, isReplayable: Bool = true, opening open: @escaping @Sendable () async throws -> Next) {
        self.length = length
        self.isReplayable = isReplayable
        self.open = isReplayable ? open : Self.once(open)
        isImmediate = false
        localFile = nil
    }

    /// Creates a stream of the bytes of `data`, in one chunk.
    public init(_ data: Data) {
        length = Int64(data.count)
        isReplayable = true
        isImmediate = true
        localFile = nil
        open = {
            let rest = Locked<Data?>(data.isEmpty ? nil : data)
            return { rest.withLock { $0.take() } }
        }
    }

    /// Creates a stream of part of an open local file. Changes to the file while it is read show in the bytes.
    public init(_ slice: LocalFileSlice, chunkSize: Int = 512 << 10) {
        length = Int64(slice.range.count)
        isReplayable = true
        isImmediate = true
        localFile = slice
        open = {
            let position = Locked(slice.range.lowerBound)
            return {
                let offset = position.withLock { $0 }
                let count = Int(Swift.min(Int64(chunkSize), slice.range.upperBound - offset))
                guard count > 0 else { return nil }
                var chunk = Data(count: count)
                let got = try chunk.withUnsafeMutableBytes { try slice.read(into: $0, at: offset) }
                if got < count { chunk.removeSubrange(got...) }
                guard !chunk.isEmpty else { return nil }
                position.withLock { $0 += Int64(chunk.count) }
                return chunk
            }
        }
    }

    /// Creates a stream of a whole local file as it is now. A file that claims to have no bytes and has some, as those
    /// of `/proc`, is a stream without a length.
    ///
    /// - Throws: as ``LocalFileHandle/init(reading:)``; `CocoaError(.fileReadUnknown)` for a pipe, socket or device,
    ///   whose bytes cannot be counted before they have arrived.
    public init(localFile path: LocalPath) throws {
        let file = try LocalFileHandle(reading: path)
        guard try file.isRegular else {
            throw FileError.notAFile(path)
        }
        let size = try file.size()
        if size == 0, let untold = ByteStream(unsizedBytesOf: file, 0..<Int64.max) {
            self = untold
        } else {
            self.init(LocalFileSlice(file: file, range: 0..<size))
        }
    }

    /// Creates a stream of a file that claims to have no bytes: those of `/proc` are generated when read, up to the
    /// first empty piece. `nil` if there are none in the range.
    package init?(unsizedBytesOf file: LocalFileHandle, _ range: Range<Int64>) {
        guard !range.isEmpty, let first = try? file.read(at: range.lowerBound, count: 1), !first.isEmpty else {
            return nil
        }
        self.init(length: nil) {
            let position = Locked(range.lowerBound)
            return {
                let offset = position.withLock { $0 }
                let chunk = try file.read(at: offset, count: Int(Swift.min(64 << 10, range.upperBound - offset)))
                position.withLock { $0 += Int64(chunk.count) }
                return chunk.isEmpty ? nil : chunk
            }
        }
    }

    /// Creates a stream of the chunks of any asynchronous sequence, which can be iterated once.
    ///
    /// - Parameters:
    ///   - chunks: the bytes, in chunks of any size, including empty ones.
    ///   - length: the number of bytes, if known: many servers want it before the first byte.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil) where Chunks.Element == Data {
        self.init(length: length, isReplayable: false) {
            let iterator = IteratorBox<Chunks>(chunks.makeAsyncIterator())
            return { try await iterator.next() }
        }
    }

    /// Begins an iteration from the first byte, for another stream to wrap. Chunks may be empty.
    package func begin() async throws -> Next { try await open() }

    /// Returns a closure that opens the first time it is called, and throws after that.
    private static func once(_ open: @escaping @Sendable () async throws -> Next) -> @Sendable () async throws -> Next {
        struct Rest {
            var open: (@Sendable () async throws -> Next)?
        }
        let rest = Locked(Rest(open: open))
        return {
            guard let open = rest.withLock({ $0.open.take() }) else {
                throw cocoaError("stream", code: .fileReadUnknown, reason: "these bytes can be read only once")
            }
            return try await open()
        }
    }
}

extension ByteStream: AsyncSequence {
    /// An iterator over the chunks of a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let open: @Sendable () async throws -> Next
        var next: Next?

        /// Returns the next chunk, never empty, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            if next == nil { next = try await open() }
            while let chunk = try await next!() {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        }
    }

    /// Begins an iteration from the first byte.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(open: open) }

    /// Returns all bytes at once.
    ///
    /// - Throws: `CocoaError(.fileReadTooLarge)` as soon as there are more than `limit` bytes.
    public func collect(limit: Int = .max) async throws -> Data {
        var data = Data()
        // A length reported by a server is not trusted for reserving memory.
        if let length, length > 0 { data.reserveCapacity(Int(Swift.min(length, Int64(limit), 1 << 20))) }
        for try await chunk in self {
            guard data.count + chunk.count <= limit else { throw cocoaError("stream", code: .fileReadTooLarge) }
            data.append(chunk)
        }
        return data
    }
}

/// A reference to an iterator, for a closure to advance.
///
/// Unchecked: there is one reader at a time, as `ByteStream.Next` documents, and the box never leaves its closure.
private final class IteratorBox<Chunks: AsyncSequence>: @unchecked Sendable where Chunks.Element == Data {
    private var iterator: Chunks.AsyncIterator

    init(_ iterator: Chunks.AsyncIterator) { self.iterator = iterator }

    func next() async throws -> Data? { try await iterator.next() }
}
