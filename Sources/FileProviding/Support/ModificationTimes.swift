import Glibc

/// `UTIME_OMIT` of `<sys/stat.h>`, a macro that Swift does not import: leave this time as it is.
private let utimeOmit = (1 << 30) - 2

/// Returns times that leave the access time as it is.
package func modificationTimes(_ time: FileTime) -> [timespec] {
    [timespec(tv_sec: 0, tv_nsec: utimeOmit), timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.subsecond))]
}
