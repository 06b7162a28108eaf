import CPlatform
import Glibc

/// Wakes a thread that waits in `poll`: a pipe that becomes readable.
package final class Waker: Sendable {
    /// Becomes readable when woken.
    package let descriptor: Int32
    private let writing: Int32

    /// - Throws: when this process may not open more files.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard fp_pipe(&ends) == 0 else { throw posixError("pipe", errno, writing: false) }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Wakes the thread; several calls before it wakes count as one.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Waits until it is woken, at most for this time; it stays woken.
    package func wait(milliseconds: Int32) {
        var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wish, 1, milliseconds)
    }

    /// Clears the woken state.
    package func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
