import Foundation

/// Writing to a descriptor that may be a pipe, a terminal or a file.
enum Descriptor {
    /// Writes everything; returns 0 or the `errno` of what stopped it.
    static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EAGAIN {
                waitUntilWritable(descriptor)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Waits for a descriptor that another program made non-blocking.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wish, 1, 1000)
    }
}
