import FileProviding
import FlyingFox
import FlyingSocks
import Foundation

/// A server of any provider's files by the Shelf API of `Examples/README.md`, on loopback.
public final class ShelfServer: Sendable {
    /// The root's URL.
    public let url: URL
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts the server, and returns when it listens.
    ///
    /// - Parameters:
    ///   - files: the files to serve.
    ///   - port: the port to listen on; 0 uses any free port.
    ///   - pageSize: the most items on a page of a listing, 5 to 100.
    /// - Throws: when the port is taken.
    public init(serving files: any FileProvider, port: UInt16 = 0, pageSize: Int = 100) async throws {
        let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
        // A request may last as long as its body; what fits into the buffer is read before the desk sees the request.
        let configuration = HTTPServer.Configuration(
            address: address, timeout: 86_400, sharedRequestBufferSize: 64 << 10, sharedRequestReplaySize: 64 << 10,
            logger: .disabled)
        let server = HTTPServer(
            config: configuration, handler: ShelfDesk(files: files, pageSize: min(max(pageSize, 5), 100)))
        let running = Task { try await server.run() }
        do { try await server.waitUntilListening() } catch {
            running.cancel()
            try await running.value  // Why it does not listen, such as a port that is taken.
            throw error
        }
        guard case .ip4(_, let port)? = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)/")
        else { throw SocketError.unsupportedAddress }
        (self.server, self.running, self.url) = (server, running, url)
    }

    /// Waits until the server has ended.
    public func wait() async throws { try await running.value }

    /// Ends the server and its connections.
    public func stop() async { await server.stop() }
}
