import FileProviding
import Foundation
import Glibc

extension LocalFileProvider: FileProviderMonitor {
    /// Watches with inotify, on a thread of its own that ends with the iteration.
    ///
    /// - Throws: `.fileReadNoSuchFile`; "not a directory"; `.fileReadUnknown`, naming the kernel's limit, when too many
    ///   directories are watched, also later in the iteration.
    public func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges {
        let stop = try Waker()
        let (changes, sink) = FileChangeSink.make(watching: path) { stop.wake() }
        try await withCheckedThrowingContinuation { (begun: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { [root] in
                do {
                    let reader = try ChangeReader(path, recursive: recursive, in: root)
                    begun.resume()
                    watch(reader, until: stop, telling: sink)
                } catch {
                    begun.resume(throwing: error)
                }
            }
        }
        return changes
    }
}

/// Reads changes until stopped, or until the watched directory is gone.
private func watch(_ reader: ChangeReader, until stop: Waker, telling sink: FileChangeSink) {
    /// How long, in milliseconds, the second half of a rename may take.
    let patience: Int32 = 20
    /// How often, in milliseconds, to look whether the root still exists.
    let rootInterval: Int32 = 2_000
    var reader = reader
    while true {
        var waiting = [
            pollfd(fd: reader.inotify.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let silence = reader.isUnsettled ? patience : reader.watchesRoot ? rootInterval : -1
        let ready = poll(&waiting, nfds_t(waiting.count), silence)
        if waiting[1].revents != 0 { return }
        do {
            let changes =
                if ready != 0 {
                    try reader.read(reader.inotify.read())
                } else {
                    reader.settle() + reader.lookForRoot()
                }
            changes.forEach(sink.add)
        } catch {
            return sink.finish(throwing: error)
        }
        if reader.isOver { return sink.finish() }
    }
}
