import FileProviding
import Glibc

/// An inotify(7) instance: watches on directories, and a queue of their events.
final class Inotify: Sendable {
    /// One event from the kernel.
    struct Event {
        let watch: Int32
        let mask: UInt32
        /// The same for both halves of a rename.
        let cookie: UInt32
        /// Empty when the event is about the watched directory itself.
        let name: [UInt8]

        func has(_ flags: Int32...) -> Bool { flags.contains { mask & UInt32(bitPattern: $0) != 0 } }
    }

    let descriptor: Int32

    init() throws(Errno) { descriptor = try systemCall { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) } }

    deinit { close(descriptor) }

    /// Watches an open directory; returns the existing watch if it already has one.
    func add(_ directory: Directory) throws(Errno) -> Int32 {
        try systemCall { inotify_add_watch(descriptor, "/proc/self/fd/\(directory.descriptor)", Self.interest) }
    }

    func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor, watch) }

    /// Returns the events that have not been read yet; empty when there are none.
    func read() -> [Event] {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            var events: [Event] = []
            var position = 0
            while position < count {
                let header = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
                let start = position + MemoryLayout<inotify_event>.size
                position = start + Int(header.len)
                let name = buffer[start..<position].prefix { $0 != 0 }
                events.append(
                    Event(watch: header.wd, mask: header.mask, cookie: header.cookie, name: Array(name)))
            }
            return events
        }
    }

    private static let interest = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
}
