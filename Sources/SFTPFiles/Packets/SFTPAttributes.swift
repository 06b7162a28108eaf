import FileProviding

/// The attributes that a server reports for an item, or is asked to set (section 5). Times are whole seconds since
/// 1970.
struct SFTPAttributes: Sendable, Equatable {
    /// The fields that are present.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt32
        static let size = Flags(rawValue: 1)
        static let owner = Flags(rawValue: 2)
        static let permissions = Flags(rawValue: 4)
        static let times = Flags(rawValue: 8)
        static let extended = Flags(rawValue: 0x8000_0000)
    }

    var flags: Flags = []
    var size: UInt64 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
    /// File type and permission bits, as in `st_mode`.
    var mode: UInt32 = 0
    var accessed: UInt32 = 0
    var modified: UInt32 = 0

    /// The earliest time that can be set: the seconds are unsigned.
    static let earliestTime = FileTime(seconds: 0)

    /// Returns the seconds as version 3 carries them, in 32 bits; `nil` for a time before 1970 or after 2106.
    static func seconds(of time: FileTime) -> UInt32? { UInt32(exactly: time.seconds) }

    /// Creates the attributes to set on a written file.
    init(permissions: UInt16? = nil, modificationTime: FileTime? = nil) {
        add(permissions: permissions, modificationTime: modificationTime)
    }

    /// Adds attributes to set. A time outside the range of version 3 is omitted, since it would become another time.
    mutating func add(permissions: UInt16?, modificationTime: FileTime?) {
        if let permissions {
            flags.insert(.permissions)
            mode = UInt32(permissions & 0o7777)
        }
        if let seconds = modificationTime.flatMap(Self.seconds) {
            flags.insert(.times)
            modified = seconds
            accessed = seconds
        }
    }

    /// A link about which nothing else is known.
    static let link: SFTPAttributes = {
        var attributes = SFTPAttributes(permissions: 0o777)
        attributes.mode |= 0o120000
        return attributes
    }()

    /// The type, as far as the server reports it.
    var type: FileObjectType {
        guard flags.contains(.permissions) else { return .unknown }
        return switch mode & 0o170000 {
        case 0o040000: .directory
        case 0o100000: .regular
        case 0o120000: .symbolicLink
        default: .unknown
        }
    }
}

extension SFTPAttributes {
    /// Returns whether the time is that of the others, to the two seconds that some file systems keep; so is an unknown
    /// one.
    func hasTime(of others: SFTPAttributes) -> Bool {
        guard flags.contains(.times), others.flags.contains(.times) else { return true }
        return max(modified, others.modified) - min(modified, others.modified) <= 2
    }

    /// Returns whether a file with these original attributes is still the same one, as far as size and time show.
    func isSameFile(as original: SFTPAttributes) -> Bool { size == original.size && modified == original.modified }
}
