import CCurl
import Foundation

/// How many bytes may wait unread in the system.
///
/// What waits there when a copy is killed is sent again, with up to 4 MiB that the server's system holds. Left to itself,
/// Linux lets 32 MiB gather when the program is held up. The bound fills 20 MB/s over 100 ms, and a large file has four
/// streams.
enum ReceiveBuffer {
    /// Linux allots twice this, for its own bookkeeping too.
    private static let size: Int32 = 5 << 18
    /// Where a program may not have that much by itself: only a start, from which Linux goes on.
    private static let window: Int32 = 2 << 20

    /// Bounds a socket that is not yet connected.
    static func bound(_ socket: Int32) {
        if isGranted {
            set(SO_RCVBUF, of: SOL_SOCKET, to: size, on: socket)
        } else {
            set(TCP_WINDOW_CLAMP, of: Int32(IPPROTO_TCP), to: window, on: socket)
        }
    }

    /// Whether `net.core.rmem_max` allows it. A smaller buffer could not grow any more: better none of ours.
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
