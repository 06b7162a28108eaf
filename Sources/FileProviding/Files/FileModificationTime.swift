import Glibc

/// Sets an item's modification time and leaves its access time as it is: with that time, since file systems of libfuse
/// 2 ignore a call that omits it.
package enum FileModificationTime {
    /// Sets that of an open file; returns 0, or -1 with `errno` set.
    package static func set(_ time: FileTime, of descriptor: Int32) -> Int32 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return -1 }
        return futimens(descriptor, times(time, status))
    }

    /// Sets that of an item of an open directory; returns 0, or -1 with `errno` set.
    ///
    /// - Parameter flags: `AT_SYMLINK_NOFOLLOW` for a link itself.
    package static func set(
        _ time: FileTime, of name: UnsafePointer<CChar>, in directory: Int32 = AT_FDCWD, flags: Int32 = 0
    ) -> Int32 {
        var status = stat()
        guard fstatat(directory, name, &status, flags) == 0 else { return -1 }
        return utimensat(directory, name, times(time, status), flags)
    }

    private static func times(_ time: FileTime, _ status: stat) -> [timespec] {
        [status.st_atim, timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.subsecond))]
    }
}
