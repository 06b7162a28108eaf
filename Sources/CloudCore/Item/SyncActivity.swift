/// A transfer of an item's contents.
public enum SyncActivity: String, Hashable, Sendable, Codable {
    /// The contents are not on the server yet.
    case uploading
    /// The contents are being fetched.
    case downloading
}
