import Foundation

/// Bytes to be written somewhere, or read from somewhere: pulled chunk by chunk, never held whole.
///
/// Iterate it with `for try await chunk in stream`. A stream that ``isReplayable`` can be iterated again from its start,
/// which lets a failed upload be repeated; any other gives its bytes once, and iterating it again throws. A stream whose
/// ``length`` is known but that ends early or late makes the write fail; nothing appears under the final name.
public struct ByteStream: Sendable {
    /// The next chunk, or `nil` at the end. Called by one reader at a time.
    public typealias Next = @Sendable () async throws -> Data?

    /// The number of bytes, or `nil` while it is unknown.
    public let length: Int64?
    /// Whether iteration can begin again from the start.
    public let isReplayable: Bool
    /// Whether the bytes are there already, in memory or a local file, so that sending them waits for nobody.
    package let isImmediate: Bool
    /// The open file behind the bytes, for a transport that reads it on a thread of its own.
    public let localFile: LocalFileSlice?
    private let open: @Sendable () async throws -> Next

    /// A stream that is opened anew for each iteration.
    public init(length: Int64?, isReplayable: Bool = true, opening open: @escaping @Sendable () async throws -> Next) {
        self.length = length
        self.isReplayable = isReplayable
        self.open = isReplayable ? open : Self.once(open)
        isImmediate = false
        localFile = nil
    }

    /// The bytes of `data`, in one chunk.
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

    /// A part of an open local file. Changes to the file while it is read show in the bytes.
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

    /// The whole of a local file as it is now.
    ///
    /// - Throws: like ``LocalFileHandle/init(reading:)``; `CocoaError(.fileReadUnknown)` for a pipe, socket or device, whose
    ///   bytes nobody can count before they have come.
    public init(localFile path: LocalPath) throws {
        let file = try LocalFileHandle(reading: path)
        guard try file.isRegular else {
            throw cocoaError(path, code: .fileReadUnknown, reason: "a pipe, socket or device is no file to copy")
        }
        self.init(LocalFileSlice(file: file, range: 0..<(try file.size())))
    }

    /// The chunks of any asynchronous sequence, once.
    ///
    /// - Parameters:
    ///   - chunks: what gives the bytes; of any size, empty ones too.
    ///   - length: the number of bytes, if known: many servers want it before the first byte.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks, length: Int64? = nil) where Chunks.Element == Data {
        self.init(length: length, isReplayable: false) {
            let iterator = IteratorBox<Chunks>(chunks.makeAsyncIterator())
            return { try await iterator.next() }
        }
    }

    /// Begins an iteration from the first byte, for another stream to go through. Chunks may be empty.
    package func begin() async throws -> Next { try await open() }

    /// Opens the first time, and throws from then on.
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
    /// Pulls chunks from the stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let open: @Sendable () async throws -> Next
        var next: Next?

        /// The next chunk, never empty, or `nil` at the end.
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

    /// All bytes at once.
    ///
    /// - Throws: `CocoaError(.fileReadTooLarge)` as soon as there are more than `limit` bytes.
    public func collect(limit: Int = .max) async throws -> Data {
        var data = Data()
        // A length that a server tells is not taken at its word.
        if let length, length > 0 { data.reserveCapacity(Int(Swift.min(length, Int64(limit), 1 << 20))) }
        for try await chunk in self {
            guard data.count + chunk.count <= limit else { throw cocoaError("stream", code: .fileReadTooLarge) }
            data.append(chunk)
        }
        return data
    }
}

/// An iterator behind a reference, for a closure to advance.
///
/// Unchecked: one reader at a time, as `ByteStream.Next` is documented, and the box never leaves its closure.
private final class IteratorBox<Chunks: AsyncSequence>: @unchecked Sendable where Chunks.Element == Data {
    private var iterator: Chunks.AsyncIterator

    init(_ iterator: Chunks.AsyncIterator) { self.iterator = iterator }

    func next() async throws -> Data? { try await iterator.next() }
}
