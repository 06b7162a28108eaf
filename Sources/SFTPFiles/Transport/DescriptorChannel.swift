import FileProviding
import Foundation
import Glibc

/// A channel over a stream socket: the other end is an `ssh` program, or a scripted server in tests.
package final class DescriptorChannel: SSHChannel {
    /// The window that OpenSSH's client grants.
    package let window = 2 << 20
    package let mayAskFirst: Bool

    private let socket: LocalFileHandle
    private let explain: () -> URLError?
    private var onAnswer: (() -> Void)?
    private let finish: () -> Void

    /// Creates a channel over a non-blocking socket.
    ///
    /// - Parameters:
    ///   - mayAskFirst: whether the other end may ask a user before it sends anything.
    ///   - explain: returns, at the end of the stream, why it ended.
    ///   - onAnswer: called when the other end's first bytes arrive.
    ///   - finish: called when the channel was closed.
    package init(
        _ socket: LocalFileHandle, mayAskFirst: Bool = false, explain: @escaping () -> URLError? = { nil },
        onAnswer: @escaping () -> Void = {}, finish: @escaping () -> Void = {}
    ) {
        self.socket = socket
        self.mayAskFirst = mayAskFirst
        self.explain = explain
        self.onAnswer = onAnswer
        self.finish = finish
    }

    /// Returns a socket pair: our end, which never blocks, and the other's.
    package static func socketPair() throws -> (ours: LocalFileHandle, theirs: LocalFileHandle) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw posixError("socket", errno, writing: false)
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (LocalFileHandle(owning: ends[0]), LocalFileHandle(owning: ends[1]))
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count = recv(socket.descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            onAnswer.take()?()
            return count
        }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        let count = send(socket.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        // A broken pipe is reported, with the reason, at the end of what can still be read.
        return max(count, 0)
    }

    package func wait(toWrite: Bool, _ waker: Waker, milliseconds: Int32) {
        let events = Int16(toWrite ? POLLIN | POLLOUT : POLLIN)
        var wishes = [
            pollfd(fd: socket.descriptor, events: events, revents: 0),
            pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&wishes, 2, milliseconds)
    }

    package func close() {
        _ = shutdown(socket.descriptor, Int32(SHUT_RDWR))
        finish()
    }

    package var ending: URLError? { explain() }
}
