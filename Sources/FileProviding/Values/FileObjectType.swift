/// The type of an item.
public enum FileObjectType: String, Sendable, Codable, CaseIterable {
    /// A file with contents.
    case regular
    /// A directory.
    case directory
    /// A symbolic link, itself, not what it points to.
    case symbolicLink
    /// Anything else: a device, a socket, a pipe, or an unreported type.
    case unknown
}
