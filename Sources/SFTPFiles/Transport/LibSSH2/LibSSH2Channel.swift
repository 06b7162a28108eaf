import CSSH2
import FileProviding
import Foundation

/// The channel to the `sftp` subsystem on a libssh2 session.
final class LibSSH2Channel: SSHChannel {
    /// The receive window: more than is ever requested at once.
    private static let window = 32 << 20
    /// The number of bytes received before answers are processed.
    private static let turn = PacketLimits.packet
    /// The number of bytes received before the window is enlarged.
    private static let grant = 1 << 20

    private let session: LibSSH2Session
    private let channel: OpaquePointer
    /// Whether the server has confirmed that the subsystem is running.
    private var isConfirmed = false
    /// Whether a packet may have been sent in part: libssh2 sends nothing else before its rest.
    private var isHalfSent = false
    /// Whether reading waits for that.
    private var isHeldUp = false

    init(_ session: LibSSH2Session) throws {
        self.session = session
        guard let channel = try session.finish({ fp_ssh_open(session.pointer, UInt32(Self.window)) }) else {
            if session.isCut {
                throw urlError(
                    session.url, code: .networkConnectionLost,
                    reason: "the server hung up right after the login: its log may tell why")
            }
            throw urlError(session.url, code: .badServerResponse, reason: "no channel: \(session.problem)")
        }
        self.channel = channel
        _ = try session.finish { try start() || session.isSent ? 0 : LIBSSH2_ERROR_EAGAIN }
    }

    /// Requests the subsystem; returns whether the server has agreed. Its input can follow at once, which saves a round
    /// trip.
    private func start() throws -> Bool {
        guard !isConfirmed else { return true }
        switch fp_ssh_subsystem(channel, "sftp") {
        case 0: isConfirmed = true
        case LIBSSH2_ERROR_EAGAIN: break
        case LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED:
            throw urlError(session.url, code: .badServerResponse, reason: "the server offers no sftp subsystem")
        default:
            throw urlError(session.url, code: .networkConnectionLost, reason: "while starting sftp: \(session.problem)")
        }
        return isConfirmed
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        try ExitGate.inside {
            guard try start() else { return 0 }
            let count = session.receiving(atMost: Self.turn) {
                libssh2_channel_read_ex(
                    channel, 0, buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count)
            }
            // It was about to enlarge the window first, and will do so the next time.
            isHeldUp = isHalfSent && count == LIBSSH2_ERROR_SOCKET_SEND
            if count > 0 { return count }
            if count == 0 { return libssh2_channel_eof(channel) != 0 ? nil : 0 }
            return count == LIBSSH2_ERROR_EAGAIN || isHeldUp ? 0 : nil
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        // A broken connection is reported at the end of what can still be read.
        let count = ExitGate.inside {
            session.receiving(atMost: 0) {
                if !isHalfSent { grantWindow() }
                return libssh2_channel_write_ex(
                    channel, 0, bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
            }
        }
        isHalfSent = count == LIBSSH2_ERROR_EAGAIN
        return max(0, count)
    }

    /// Enlarges the window between two packets, long before reading would have to: a server that accepts nothing more
    /// until its answers are read would then wait for us while we wait for it.
    private func grantWindow() {
        let used = Self.window - Int(libssh2_channel_window_read_ex(channel, nil, nil))
        guard used >= Self.grant, session.isWritable else { return }
        libssh2_channel_receive_window_adjust2(channel, UInt(used), 0, nil)
    }

    var window: Int { Self.window }

    var received: Int { session.received }

    func wait(toWrite: Bool, _ waker: Waker, milliseconds: Int32) {
        session.wait(toRead: !isHeldUp, waker, milliseconds: milliseconds)
    }

    func keepAlive() {
        var next: Int32 = 0
        _ = ExitGate.inside { libssh2_keepalive_send(session.pointer, &next) }
    }

    func close() { session.close() }

    var ending: URLError? {
        let problem = session.problem
        guard !problem.isEmpty, libssh2_channel_eof(channel) == 0 else { return nil }
        return urlError(session.url, code: .networkConnectionLost, reason: problem)
    }
}
