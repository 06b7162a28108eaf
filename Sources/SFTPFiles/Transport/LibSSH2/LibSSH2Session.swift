import CSSH2
import FileProviding
import Foundation
import Glibc

/// A libssh2 session on a non-blocking socket. libssh2 is not thread-safe: one thread uses it.
final class LibSSH2Session {
    let pointer: OpaquePointer
    let url: URL
    private let socket: LocalFileHandle
    private let connecting: SocketConnection
    private let context: Context
    /// The time spent waiting for others than the server, such as an agent that asks for confirmation.
    private var timeBeside = Duration.zero
    private var isOpen = true

    /// The session's `abstract`, which libssh2 passes to its callbacks.
    private final class Context {
        /// The number of bytes that may be read from the socket.
        var allowance = Int.max
        /// The number of bytes that have been read from it.
        var received = 0
        /// The object that answers the server's questions.
        var dialogue: KeyboardInteractive?
        /// Whether the server disconnected without a message, or was lost.
        var isCut = false

        static func of(_ abstract: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Context {
            Unmanaged<Context>.fromOpaque(abstract!.pointee!).takeUnretainedValue()
        }
    }

    private static let isInitialised: Bool = {
        guard libssh2_init(0) == 0 else { return false }
        ExitGate.closeAtExit()
        return true
    }()

    init(_ socket: LocalFileHandle, _ connecting: SocketConnection) throws {
        let context = Context()
        let abstract = Unmanaged.passUnretained(context).toOpaque()
        guard Self.isInitialised, let pointer = libssh2_session_init_ex(nil, nil, nil, abstract) else {
            throw urlError(connecting.url, code: .secureConnectionFailed, reason: "libssh2 cannot be used")
        }
        fp_ssh_receive_by(pointer) { socket, buffer, length, flags, abstract in
            let context = Context.of(abstract)
            guard context.allowance > 0 else { return -Int(EAGAIN) }
            let count = recv(socket, buffer, min(length, context.allowance), flags)
            guard count > 0 else {
                let problem = count < 0 ? errno : 0
                context.isCut = problem != EAGAIN && problem != EINTR
                return -Int(problem)
            }
            context.allowance -= count
            context.received += count
            return count
        }
        self.pointer = pointer
        self.context = context
        self.socket = socket
        self.connecting = connecting
        url = connecting.url
        libssh2_session_set_blocking(pointer, 0)
        libssh2_keepalive_config(pointer, 1, 15)
    }

    deinit { close() }

    /// Calls libssh2 with at most this many bytes to read from the socket. Without a limit its reads and writes take
    /// everything that arrives before they do anything else, and a long line is idle while the next requests wait.
    func receiving<Result>(atMost count: Int, _ call: () throws -> Result) rethrows -> Result {
        context.allowance = count
        defer { context.allowance = .max }
        return try call()
    }

    /// The number of bytes that one step of connecting may read before the deadline and the waker are checked: a server
    /// that sends endless text before its greeting gives libssh2 no reason to return.
    private static let turn = 64 << 10

    /// Logs in by answering the server's questions; returns whether it succeeded.
    func logIn(_ user: String, answeredBy dialogue: KeyboardInteractive) throws -> Bool {
        context.dialogue = dialogue
        defer { context.dialogue = nil }
        return try finish {
            libssh2_userauth_keyboard_interactive_ex(pointer, user, UInt32(user.utf8.count)) {
                _, _, instruction, instructionLength, count, prompts, responses, abstract in
                guard let prompts, let responses else { return }
                Context.of(abstract).dialogue?.answer(
                    UnsafeBufferPointer(start: prompts, count: Int(count)),
                    under: UnsafeBufferPointer(start: instruction, count: Int(instructionLength)), into: responses)
            }
        } == 0
    }

    /// Repeats a step of connecting until it is done.
    ///
    /// - Returns: the step's result, 0 or a libssh2 error.
    func finish(_ step: () throws -> Int32) throws -> Int32 {
        while true {
            let result = try receiving(atMost: Self.turn, step)
            guard result == LIBSSH2_ERROR_EAGAIN else { return result }
            try waitWhileConnecting()
        }
    }

    /// Repeats a step that returns a value or nothing.
    func finish<Value>(_ step: () -> Value?) throws -> Value? {
        while true {
            if let value = receiving(atMost: Self.turn, step) { return value }
            guard libssh2_session_last_errno(pointer) == LIBSSH2_ERROR_EAGAIN else { return nil }
            try waitWhileConnecting()
        }
    }

    private func waitWhileConnecting() throws {
        guard timeLeft > .zero else {
            throw urlError(url, code: .timedOut, reason: "the server takes too long to let us in")
        }
        let events = directions
        _ = try ExitGate.outside { try connecting.wait(socket.descriptor, for: events) }
    }

    private var timeLeft: Duration { connecting.timeLeft + timeBeside }

    /// Runs `work` without counting its duration as the server's.
    func besideConnecting<Result>(_ work: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer { timeBeside += .now - start }
        return try work()
    }

    /// Waits for another descriptor while connecting, such as an agent's; returns whether it became ready before the
    /// deadline.
    func wait(_ descriptor: Int32, for events: Int32, until deadline: ContinuousClock.Instant) throws -> Bool {
        while .now < deadline {
            let time = deadline - .now
            if try ExitGate.outside({ try connecting.wait(descriptor, for: events, atMost: time) }) { return true }
        }
        return false
    }

    /// The directions that libssh2 waits for.
    private var directions: Int32 {
        let wanted = libssh2_session_block_directions(pointer)
        var events: Int32 = 0
        if wanted & LIBSSH2_SESSION_BLOCK_INBOUND != 0 { events |= Int32(POLLIN) }
        if wanted & LIBSSH2_SESSION_BLOCK_OUTBOUND != 0 { events |= Int32(POLLOUT) }
        return events == 0 ? Int32(POLLIN) : events
    }

    /// Whether libssh2 waits only for the server's answer.
    var isSent: Bool { libssh2_session_block_directions(pointer) & LIBSSH2_SESSION_BLOCK_OUTBOUND == 0 }

    /// libssh2's message about its last error.
    var problem: String {
        var text: UnsafeMutablePointer<CChar>?
        libssh2_session_last_error(pointer, &text, nil, 0)
        return text.map { String(cString: $0) } ?? "unknown"
    }

    /// The number of bytes that have arrived.
    var received: Int { context.received }

    /// Whether the connection ended without the server's announcing it.
    var isCut: Bool { context.isCut }

    /// Whether the server has sent its SSH identification (RFC 4253, section 4.2).
    var isGreeted: Bool {
        libssh2_session_banner_get(pointer).map { String(cString: $0).hasPrefix("SSH-") } ?? false
    }

    func handshake() throws -> Int32 { try finish { libssh2_session_handshake(pointer, socket.descriptor) } }

    /// Whether the socket has room for a small packet at once.
    var isWritable: Bool {
        var wish = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&wish, 1, 0) > 0
    }

    /// - Parameter toRead: whether to wake when data arrives.
    func wait(toRead: Bool, _ waker: Waker, milliseconds: Int32) {
        let events = toRead ? ExitGate.inside { directions } | Int32(POLLIN) : Int32(POLLOUT)
        var wishes = [
            pollfd(fd: socket.descriptor, events: Int16(events), revents: 0),
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
            // Once the socket is shut down there is nothing to wait for; a few iterations free everything.
            for _ in 0..<16 where libssh2_session_free(pointer) != LIBSSH2_ERROR_EAGAIN { return }
        }
    }
}
