/// Where an item's contents are.
public enum CloudStatus: String, Sendable, Codable, CaseIterable {
    /// On the server only.
    case cloudOnly
    /// On the server, with a copy here.
    case localCopy
    /// On the server, with a copy here that has been changed and not yet been sent.
    case locallyModified
    /// Here only, not yet on the server: a placeholder.
    case localOnly
}
