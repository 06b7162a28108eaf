import FileProviding
import Glibc
import Testing

/// A listening socket that accepts clients or leaves them waiting.
final class Listener: Sendable {
    private let socket: LocalFileHandle
    /// The TCP port; 0 for a socket at a path.
    let port: Int

    /// Listens on a port of the loopback interface, by default a free one.
    init(on port: Int = 0) throws {
        let socket = LocalFileHandle(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var yes: Int32 = 1
        setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_port = UInt16(port).bigEndian
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try Self.listen(socket, &address)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &size) }
        }
        self.socket = socket
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Listens on a Unix socket at a path.
    init(at path: String) throws {
        socket = LocalFileHandle(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        port = 0
        var address = Self.address(path)
        try Self.listen(socket, &address)
    }

    private static func listen<Address>(_ socket: LocalFileHandle, _ address: inout Address) throws {
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        try #require(result == 0 && Glibc.listen(socket.descriptor, 8) == 0)
    }

    func accept() -> LocalFileHandle? {
        let caller = Glibc.accept(socket.descriptor, nil, nil)
        return caller < 0 ? nil : LocalFileHandle(owning: caller)
    }

    /// Wakes the thread that waits in ``accept()``, which returns `nil` from now on.
    func close() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    private static func address(_ path: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return address
    }
}
