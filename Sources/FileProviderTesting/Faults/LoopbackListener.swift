import FileProviding
import Foundation
import Glibc

/// A listening TCP socket on 127.0.0.1 that serves each connection on a separate thread.
final class LoopbackListener: Sendable {
    private struct State {
        var open: Set<Int32> = []
        var accepted = 0
        var isStopped = false
    }

    let port: Int
    /// The connections that are being served.
    let serving = DispatchGroup()
    private let descriptor: Int32
    private let state = Locked(State())

    /// - Parameter serve: called with a connection's descriptor and number, from 0; the listener closes the descriptor
    ///   afterwards.
    init(serve: @escaping @Sendable (Int32, Int) -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw posixError("socket", errno, writing: true) }
        self.descriptor = descriptor
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else {
            let number = errno
            close(descriptor)
            throw posixError("socket", number, writing: true)
        }
        let state = state
        Thread.detachNewThread { [serving] in Self.serveAll(descriptor, state, serving, serve) }
    }

    deinit { stop() }

    /// The number of connections accepted so far.
    var connectionCount: Int { state.withLock { $0.accepted } }

    /// Accepts no more connections and closes those that are open.
    func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        // Wakes the accepting thread, which closes the socket.
        if isFirst { shutdown(descriptor, Int32(SHUT_RDWR)) }
        cutConnections()
    }

    /// Closes the open connections.
    func cutConnections() {
        state.withLock { state in
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private static func serveAll(
        _ descriptor: Int32, _ state: Locked<State>, _ serving: DispatchGroup,
        _ serve: @escaping @Sendable (Int32, Int) -> Void
    ) {
        defer { close(descriptor) }
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.open.insert(connection)
                state.accepted += 1
                return state.accepted - 1
            }
            guard let number else {
                close(connection)
                return
            }
            serving.enter()
            Thread.detachNewThread {
                serve(connection, number)
                _ = state.withLock { $0.open.remove(connection) }
                close(connection)
                serving.leave()
            }
        }
    }
}

/// Returns the address 127.0.0.1 with a port, 0 for any free one.
func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
}
