import FileProviding
import Foundation

/// A TCP proxy on loopback that injects faults: between a client under test and a real server.
///
/// ```swift
/// let proxy = try FaultProxy(to: server.port) { connection in
///     connection == 0 ? FaultProxy.Faults(toClient: [.cut(after: 10_000)]) : FaultProxy.Faults()
/// }
/// ```
public final class FaultProxy: Sendable {
    /// A fault in one direction of a connection. Positions count that direction's bytes from 0.
    public enum Fault: Sendable, Hashable {
        /// Delays every piece by this many seconds.
        case delay(Double)
        /// Closes the connection in both directions once this many bytes have passed.
        case cut(after: Int)
        /// Closes the connection in both directions with an error (RST) once this many bytes have passed.
        case reset(after: Int)
        /// Passes nothing more once this many bytes have passed, without closing the connection.
        case stall(after: Int)
        /// Passes at most this many bytes per second.
        case trickle(bytesPerSecond: Int)
        /// Flips all bits of the byte at this position.
        case corrupt(at: Int)
        /// Holds back data that begins with these bytes, such as `MOVE `, until the gate opens; then it passes even if
        /// its sender is gone, as with a killed client whose request was on its way.
        case hold(String, until: Gate)
    }

    /// The faults of one connection.
    public struct Faults: Sendable, Hashable {
        /// Faults on the way from the client to the server.
        public var toServer: [Fault]
        /// Faults on the way from the server to the client.
        public var toClient: [Fault]

        /// Creates faults in either direction; none by default.
        public init(toServer: [Fault] = [], toClient: [Fault] = []) {
            self.toServer = toServer
            self.toClient = toClient
        }
    }

    /// The amount of data that has passed so far.
    public struct Traffic: Sendable, Hashable {
        /// Bytes from clients.
        public var bytesToServer = 0
        /// Bytes from the server.
        public var bytesToClient = 0
    }

    private let listener: LoopbackListener
    private let state: Locked<Traffic>

    /// Starts to listen on a free port.
    ///
    /// - Parameters:
    ///   - port: the server's port on 127.0.0.1.
    ///   - faults: returns the faults of each connection, by its number from 0.
    public convenience init(to port: Int, faults: @escaping @Sendable (Int) -> Faults = { _ in Faults() }) throws {
        try self.init(toEach: [port], faults: faults)
    }

    /// Starts to listen on a free port, for several servers that take turns, one connection each.
    public init(toEach ports: [Int], faults: @escaping @Sendable (Int) -> Faults = { _ in Faults() }) throws {
        let state = Locked(Traffic())
        self.state = state
        listener = try LoopbackListener { descriptor, number in
            let client = Connection(descriptor: descriptor)
            guard let server = Connection.open(port: ports[number % ports.count]) else { return }
            let faults = faults(number)
            let isBack = DispatchGroup()
            isBack.enter()
            Thread.detachNewThread {
                FaultyDirection(from: server, to: client, faults.toClient).run { count in
                    state.withLock { $0.bytesToClient += count }
                }
                isBack.leave()
            }
            FaultyDirection(from: client, to: server, faults.toServer).run { count in
                state.withLock { $0.bytesToServer += count }
            }
            isBack.wait()
            server.end()
        }
    }

    /// The port on 127.0.0.1.
    public var port: Int { listener.port }

    /// Returns the URL with this proxy in place of its host and port.
    public func url(_ url: URL) -> URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)!
        parts.host = "127.0.0.1"
        parts.port = port
        return parts.url!
    }

    /// The number of connections so far.
    public var connectionCount: Int { listener.connectionCount }

    /// The amount of data that has passed so far.
    public var traffic: Traffic { state.withLock { $0 } }

    /// Closes all open connections; new ones are accepted.
    public func cutConnections() { listener.cutConnections() }

    /// Closes all connections; new ones are refused.
    public func stop() { listener.stop() }

    /// Waits until all connections so far have ended and the server has answered what passed through them.
    public func whenEnded() async { await listener.serving.finished() }
}
