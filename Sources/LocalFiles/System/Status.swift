import CPlatform
import FileProviding
import Glibc

/// What the kernel tells of an item.
typealias Status = fp_status

extension Status {
    private var format: mode_t { mode & S_IFMT }

    var isDirectory: Bool { format == S_IFDIR }
    var isRegularFile: Bool { format == S_IFREG }
    var isLink: Bool { format == S_IFLNK }
    var permissions: mode_t { mode & 0o7777 }
    /// Whether less is stored than the size says.
    var hasHoles: Bool { stored < size }

    /// What the item is, whatever its name.
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

/// Tells one item of this machine from every other.
struct FileIdentity: Hashable, Codable {
    var device: UInt64
    var inode: UInt64

    /// Device and inode in hexadecimal, short enough to be stored within a `String` itself.
    var text: String { String(device, radix: 16) + ":" + String(inode, radix: 16) }
}
