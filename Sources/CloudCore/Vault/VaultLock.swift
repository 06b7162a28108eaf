import FileProviding
import Foundation
import Glibc

/// Locks a vault's folder against every other process, and against being opened again in this one, for as long as the
/// object exists.
///
/// The kernel releases the lock when the process ends, however it ends.
final class VaultLock: Sendable {
    private let file: LocalFileHandle

    /// Locks `folder`, and creates it if necessary.
    ///
    /// - Throws: `CocoaError(.fileLocking)` with the number of the process that has the vault open.
    init(folder: LocalPath) throws {
        let path = folder.appending("lock")
        while true {
            try PrivateFile.createFolder(folder)
            let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            if descriptor < 0, errno == ENOENT { continue }
            guard descriptor >= 0 else { throw posixError(path, errno, writing: true) }
            let file = LocalFileHandle(owning: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.isOpen(folder, by: file) }
            // The folder may have been erased between opening and locking: this is then the lock of a folder that no
            // longer exists.
            guard Self.isSame(descriptor, path) else { continue }
            // Only for messages: a full disk does not prevent locking.
            _ = ftruncate(descriptor, 0)
            try? file.write(Data(String(getpid()).utf8), at: 0)
            self.file = file
            return
        }
    }

    // A child that is just being started shares the descriptor for a moment, and would keep the lock.
    deinit { release() }

    /// Releases the lock.
    func release() { _ = flock(file.descriptor, LOCK_UN) }

    private static func isSame(_ descriptor: Int32, _ path: LocalPath) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && path.withCString { stat($0, &named) } == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func isOpen(_ folder: LocalPath, by file: LocalFileHandle) -> CocoaError {
        let holder = (try? file.read(at: 0, count: 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let process = holder.isEmpty ? "another process" : "process \(holder)"
        return cocoaError(
            folder, code: .fileLocking, reason: "\(process) has this vault open; a vault is open in one place at a time"
        )
    }
}
