import FileProviding

/// What a sync record waits for.
public enum WaitCondition: Hashable, Sendable, Codable {
    /// The server can be reached.
    case network
    /// The server's maintenance is over.
    case maintenance
    /// The server knows who is asking.
    case authentication
    /// The server's certificate is trusted.
    case trust
    /// The server's new address is taken, or it is back at the old one.
    case address
    /// This moment.
    case time(FileTime)
    /// The issue about the record's item has been answered.
    case answer

    /// Which moment that is, where it is one.
    var time: FileTime? { if case .time(let time) = self { time } else { nil } }
}
