import CPlatform
import FileProviding
import Glibc

/// The attributes that the kernel reports about an item.
typealias Status = fp_status

extension Status {
    private var format: mode_t { mode & S_IFMT }

    var isDirectory: Bool { format == S_IFDIR }
    var isRegularFile: Bool { format == S_IFREG }
    var isLink: Bool { format == S_IFLNK }
    var permissions: mode_t { mode & 0o7777 }
    /// Whether less is stored than the size suggests.
    var hasHoles: Bool { stored < size }

    /// Returns whether a file's size and times are the same as before.
    func isUnchanged(since earlier: Status) -> Bool {
        size == earlier.size && modified == earlier.modified && changed == earlier.changed
    }

    /// The identity of the item, whatever its name.
    var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

    var type: FileObjectType {
        switch format {
        case S_IFREG: .regular
        case S_IFDIR: .directory
        case S_IFLNK: .symbolicLink
        default: .unknown
        }
    }
}

extension Status {
    /// A tag for the file's version. The kernel's clock ticks every few milliseconds, so that two versions can have the
    /// same time; but a file that replaces another has another inode.
    ///
    /// Short enough to be stored within a `String` itself.
    var etag: ETag {
        let number = keepsInode ? inode : 0
        return ETag(rawValue: "\"" + Self.mixed(number, UInt64(bitPattern: modified), UInt64(bitPattern: size)) + "\"")
    }

    /// An identifier that distinguishes the item from all others that exist or existed: an inode number is reused, and
    /// is another item's on another device, but not together with its creation time. The device's own number would
    /// only tell where a disk was plugged in; it stands in for a time that the file system does not keep. `nil` if the
    /// inode number does not stay with the item.
    ///
    /// Short enough to be stored within a `String` itself.
    var fileID: String? {
        keepsInode ? Self.mixed(created == .min ? device : 0, inode, UInt64(bitPattern: created)) : nil
    }

    private static func mixed(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> String {
        String(mix(mix(mix(first) ^ second) ^ third), radix: 36)
    }

    /// Spreads each bit over all others without losing information (the last step of SplitMix64).
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
