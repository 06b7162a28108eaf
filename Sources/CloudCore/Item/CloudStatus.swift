/// Where an item's contents are.
public enum CloudStatus: String, Sendable, Codable, CaseIterable {
    /// On the server only.
    case cloudOnly
    /// On the server, with a local copy.
    case localCopy
    /// On the server, with a local copy that has been changed and not yet sent.
    case locallyModified
    /// Only local, not yet on the server: a placeholder.
    case localOnly
}
