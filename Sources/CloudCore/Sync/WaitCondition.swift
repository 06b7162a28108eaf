import FileProviding

/// A condition that a sync record waits for.
public enum WaitCondition: Hashable, Sendable, Codable {
    /// The server can be reached.
    case network
    /// The server's maintenance is over.
    case maintenance
    /// The server accepts the credential.
    case authentication
    /// The server's certificate is trusted.
    case trust
    /// The server's new address is used, or the server is back at the old one.
    case address
    /// This time has come.
    case time(FileTime)
    /// The issue about the record's item has been answered.
    case answer

    /// The time, if the condition is one.
    var time: FileTime? { if case .time(let time) = self { time } else { nil } }
}
