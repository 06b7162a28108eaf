import Foundation
import Glibc

extension LocalFileHandle {
    /// Returns an open file without a name: it is deleted when its last reference is released.
    package static func temporary() throws -> LocalFileHandle {
        let path = LocalPath(NSTemporaryDirectory()).appending(TemporaryName.random().bytes)
        let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(NSTemporaryDirectory(), errno, writing: true) }
        _ = path.withCString { unlink($0) }
        return LocalFileHandle(owning: descriptor)
    }
}
