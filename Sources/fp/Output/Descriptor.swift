import Foundation

/// Writing to a descriptor that may be a pipe, a terminal or a file.
enum Descriptor {
    /// Writes everything; returns 0 or the `errno` of what stopped it: `ECANCELED` when a pipe takes nothing more and
    /// the task has been cancelled.
    static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        let isPipe = isPipe(descriptor)
        while !rest.isEmpty {
            // What is written into a page that is free does not wait for the reader.
            if isPipe, !isWritable(descriptor) {
                if Task.isCancelled { return ECANCELED }
                continue
            }
            let count = isPipe ? min(rest.count, page) : rest.count
            let sent = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, count)
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EAGAIN {
                _ = isWritable(descriptor)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    private static let page = 4096

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Waits a little while for room; returns whether there is some, or nobody to read it.
    private static func isWritable(_ descriptor: Int32) -> Bool {
        var wish = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&wish, 1, 200) > 0
    }
}
