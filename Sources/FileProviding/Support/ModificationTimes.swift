import Glibc

/// `UTIME_OMIT` of `<sys/stat.h>`, a macro that Swift does not import: leave this time as it is.
private let utimeOmit = (1 << 30) - 2

/// Returns times that leave the access time as it is.
///
/// - Parameter accessed: that time, if known: file systems of libfuse 2 ignore a call that omits it.
package func modificationTimes(_ time: FileTime, accessed: FileTime? = nil) -> [timespec] {
    [accessed.map(timespec.init) ?? timespec(tv_sec: 0, tv_nsec: utimeOmit), timespec(time)]
}

extension timespec {
    fileprivate init(_ time: FileTime) { self.init(tv_sec: Int(time.seconds), tv_nsec: Int(time.subsecond)) }
}
