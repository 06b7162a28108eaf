import FileProviding
import FlyingFox
import FlyingSocks
import Foundation

extension HTTPBodySequence {
    /// Creates a body of bytes as they are read; in chunked encoding if their number is unknown.
    ///
    /// - Parameter closes: whether the connection ends after them.
    init(_ stream: ByteStream, closes: Bool = false) {
        let body = ReplyBody(stream: stream, closes: closes)
        if let length = stream.length {
            self.init(from: body, count: Int(length))
        } else {
            self.init(from: body)
        }
    }
}

/// A stream in the form that FlyingFox requires.
private struct ReplyBody: AsyncBufferedSequence {
    let stream: ByteStream
    let closes: Bool

    func makeAsyncIterator() -> Iterator { Iterator(chunks: stream.makeAsyncIterator(), closes: closes) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var chunks: ByteStream.AsyncIterator
        let closes: Bool

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            if let chunk = try await chunks.next() { return chunk }
            // The only way to make FlyingFox close the connection.
            if closes { throw SocketError.disconnected }
            return nil
        }

        mutating func next() async throws -> UInt8? { preconditionFailure("FlyingFox reads buffers") }
    }
}
