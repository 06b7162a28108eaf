import FileProviding

/// The modification times that a file system can store: the kernel cuts off the rest without telling.
struct StoredTimes {
    /// The precision in nanoseconds.
    var precision: Int64 = 1
    /// The earliest time, if there is a limit that matters.
    var earliest: FileTime?

    /// - Parameter fileSystem: the type as in `/proc/self/mountinfo` (proc(5)).
    init(fileSystem: String) {
        switch fileSystem {
        case "vfat", "msdos": (precision, earliest) = (2_000_000_000, Self.earliestOfFAT)
        case "exfat": (precision, earliest) = (10_000_000, Self.earliestOfFAT)
        // NTFS or exFAT through FUSE.
        case "fuseblk": precision = 10_000_000
        case "ntfs", "ntfs3", "cifs", "smb3": precision = 100
        case "udf": precision = 1_000
        // The latter by version 3 of the protocol.
        case "hfs", "hfsplus", "fuse.sshfs": precision = 1_000_000_000
        default: break
        }
    }

    /// FAT counts from 1980, in a time zone that is not stored: a day later is certain.
    private static let earliestOfFAT = FileTime(seconds: 315_619_200)
}
