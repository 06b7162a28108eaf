import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension LocalFileHandle {
    /// Returns an open file without a name: it is deleted when its last reference is released.
    package static func temporary() throws -> LocalFileHandle {
        var template = Array("\(NSTemporaryDirectory())/.fp-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw posixError(NSTemporaryDirectory(), errno, writing: true) }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return LocalFileHandle(owning: descriptor)
    }
}
