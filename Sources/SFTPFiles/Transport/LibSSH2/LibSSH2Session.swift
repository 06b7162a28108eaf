import CSSH2
import FileProviding
import Foundation
import Glibc

/// An SSH session of libssh2's on a socket that never blocks. libssh2 is not thread safe: one thread uses it.
final class LibSSH2Session {
    let pointer: OpaquePointer
    let url: URL
    private let socket: LocalFileHandle
    private let connecting: SocketConnection
    private let allowance: UnsafeMutablePointer<Int>
    private var isOpen = true

    private static let isInitialised: Bool = {
        guard libssh2_init(0) == 0 else { return false }
        ExitGate.closeAtExit()
        return true
    }()

    init(_ socket: LocalFileHandle, _ connecting: SocketConnection) throws {
        let allowance = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        allowance.initialize(to: .max)
        guard Self.isInitialised, let pointer = libssh2_session_init_ex(nil, nil, nil, allowance) else {
            allowance.deallocate()
            throw urlError(connecting.url, code: .secureConnectionFailed, reason: "libssh2 cannot be used")
        }
        fp_ssh_receive_by(pointer) { socket, buffer, length, flags, abstract in
            let allowance = abstract!.pointee!.assumingMemoryBound(to: Int.self)
            guard allowance.pointee > 0 else { return -Int(EAGAIN) }
            let count = recv(socket, buffer, min(length, allowance.pointee), flags)
            guard count >= 0 else { return -Int(errno) }
            allowance.pointee -= count
            return count
        }
        self.pointer = pointer
        self.allowance = allowance
        self.socket = socket
        self.connecting = connecting
        url = connecting.url
        libssh2_session_set_blocking(pointer, 0)
        libssh2_keepalive_config(pointer, 1, 15)
    }

    deinit {
        close()
        allowance.deallocate()
    }

    /// Calls libssh2 with no more than so many bytes to take from the socket. Without such an end its reads and writes take
    /// all that arrives before they do anything else, and a far line stands idle while the next requests wait.
    func receiving(atMost count: Int, _ call: () -> Int) -> Int {
        allowance.pointee = count
        defer { allowance.pointee = .max }
        return call()
    }

    /// Repeats a step of connecting until it is done.
    ///
    /// - Returns: the step's result, 0 or an error of libssh2's.
    func finish(_ step: () throws -> Int32) throws -> Int32 {
        while true {
            let result = try step()
            guard result == LIBSSH2_ERROR_EAGAIN else { return result }
            try waitWhileConnecting()
        }
    }

    /// Repeats a step that gives a value or nothing.
    func finish<Value>(_ step: () -> Value?) throws -> Value? {
        while true {
            if let value = step() { return value }
            guard libssh2_session_last_errno(pointer) == LIBSSH2_ERROR_EAGAIN else { return nil }
            try waitWhileConnecting()
        }
    }

    private func waitWhileConnecting() throws {
        guard ContinuousClock.now < connecting.deadline else {
            throw urlError(url, code: .timedOut, reason: "the server takes too long to let us in")
        }
        let events = directions
        _ = try ExitGate.outside { try connecting.wait(socket.descriptor, for: events) }
    }

    /// What libssh2 waits for.
    private var directions: Int32 {
        let wanted = libssh2_session_block_directions(pointer)
        var events: Int32 = 0
        if wanted & LIBSSH2_SESSION_BLOCK_INBOUND != 0 { events |= Int32(POLLIN) }
        if wanted & LIBSSH2_SESSION_BLOCK_OUTBOUND != 0 { events |= Int32(POLLOUT) }
        return events == 0 ? Int32(POLLIN) : events
    }

    /// Whether libssh2 waits for nothing but the server's answer.
    var isSent: Bool { libssh2_session_block_directions(pointer) & LIBSSH2_SESSION_BLOCK_OUTBOUND == 0 }

    /// libssh2's own words about its last error.
    var problem: String {
        var text: UnsafeMutablePointer<CChar>?
        libssh2_session_last_error(pointer, &text, nil, 0)
        return text.map { String(cString: $0) } ?? "unknown"
    }

    /// Whether the server said that it speaks SSH (RFC 4253, section 4.2).
    var isGreeted: Bool {
        libssh2_session_banner_get(pointer).map { String(cString: $0).hasPrefix("SSH-") } ?? false
    }

    func handshake() throws -> Int32 { try finish { libssh2_session_handshake(pointer, socket.descriptor) } }

    func wait(_ waker: Waker, milliseconds: Int32) {
        let events = ExitGate.inside { directions }
        var wishes = [
            pollfd(fd: socket.descriptor, events: Int16(events | Int32(POLLIN)), revents: 0),
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&wishes, 2, milliseconds)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        ExitGate.inside {
            _ = fp_ssh_disconnect(pointer)
            _ = shutdown(socket.descriptor, Int32(SHUT_RDWR))
            // With the socket shut down nothing is left to wait for; a few turns free everything.
            for _ in 0..<16 where libssh2_session_free(pointer) != LIBSSH2_ERROR_EAGAIN { return }
        }
    }
}
