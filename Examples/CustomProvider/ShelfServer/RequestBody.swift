import FileProviding
import FlyingFox
import Foundation

/// A request's bytes: pulled by a write; what is not read is drained by the server.
final class RequestBody: @unchecked Sendable {  // One reader at a time: first the write, then the server.
    private let length: Int64?
    private let isAwaited: Bool
    private var chunks: HTTPBodySequence.Iterator
    private var isTouched = false

    init(_ request: HTTPRequest) {
        length = request.bodySequence.count.map { Int64($0) }
        isAwaited = request.headers[.expect]?.lowercased() == "100-continue"
        chunks = request.bodySequence.makeAsyncIterator()
    }

    /// The bytes for a write.
    var stream: ByteStream { ByteStream(length: length, isReplayable: false) { { try await self.next() } } }

    /// Whether the client holds the bytes back until it hears from the server (RFC 9110, section 10.1.1).
    ///
    /// FlyingFox cannot answer `100 Continue`, so the client of an accepted request waits for a second in vain; a
    /// refused one hears at once.
    var isUnsent: Bool { isAwaited && !isTouched }

    /// Reads what is left, so that the connection can be reused.
    func drain() async throws {
        while try await next() != nil {}
    }

    private func next() async throws -> Data? {
        isTouched = true
        return try await chunks.next()
    }
}
