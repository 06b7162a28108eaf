/// What is done about an item's contents.
public enum SyncActivity: String, Hashable, Sendable, Codable {
    /// The server does not have them yet.
    case uploading
    /// They are on their way here.
    case downloading
}
