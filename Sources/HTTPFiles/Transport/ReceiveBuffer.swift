import CCurl
import Foundation

/// A limit for the bytes that may wait unread in the system's buffers.
///
/// What waits there when a copy is killed is sent again, together with up to 4 MiB in the server's system. By default,
/// Linux lets 32 MiB accumulate while the program is delayed. The limit allows 20 MB/s over 100 ms, and a large file
/// has four streams.
enum ReceiveBuffer {
    /// Linux allocates twice this, for its own bookkeeping too.
    private static let size: Int32 = 5 << 18
    /// The limit for programs that may not set that buffer size: only an initial value, from which Linux goes on.
    private static let window: Int32 = 2 << 20

    /// Limits the buffer of a socket that is not yet connected.
    static func bound(_ socket: Int32) {
        if isGranted {
            set(SO_RCVBUF, of: SOL_SOCKET, to: size, on: socket)
        } else {
            set(TCP_WINDOW_CLAMP, of: Int32(IPPROTO_TCP), to: window, on: socket)
        }
    }

    /// Whether `net.core.rmem_max` allows it. A smaller buffer could not grow any more, so it would be worse than none.
    private static let isGranted: Bool = {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        set(SO_RCVBUF, of: SOL_SOCKET, to: size, on: probe)
        var granted: Int32 = 0
        var length = socklen_t(MemoryLayout.size(ofValue: granted))
        return getsockopt(probe, SOL_SOCKET, SO_RCVBUF, &granted, &length) == 0 && granted >= size
    }()

    private static func set(_ option: Int32, of level: Int32, to value: Int32, on socket: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout.size(ofValue: value)))
    }
}
