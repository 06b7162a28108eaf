import FileProviding
import FlyingFox
import FlyingSocks
import Foundation

extension HTTPBodySequence {
    /// Bytes as they are read; in chunked encoding where their number is unknown.
    ///
    /// - Parameter closes: whether the connection ends behind them.
    init(_ stream: ByteStream, closes: Bool = false) {
        let body = ReplyBody(stream: stream, closes: closes)
        if let length = stream.length {
            self.init(from: body, count: Int(length))
        } else {
            self.init(from: body)
        }
    }
}

/// A stream as FlyingFox wants it.
private struct ReplyBody: AsyncBufferedSequence {
    let stream: ByteStream
    let closes: Bool

    func makeAsyncIterator() -> Iterator { Iterator(chunks: stream.makeAsyncIterator(), closes: closes) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var chunks: ByteStream.AsyncIterator
        let closes: Bool

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            if let chunk = try await chunks.next() { return chunk }
            // The one way to make FlyingFox hang up.
            if closes { throw SocketError.disconnected }
            return nil
        }

        mutating func next() async throws -> UInt8? { preconditionFailure("FlyingFox reads buffers") }
    }
}
