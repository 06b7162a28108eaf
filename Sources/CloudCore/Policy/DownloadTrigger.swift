/// Why a copy was fetched.
public enum DownloadTrigger: String, Hashable, Sendable, Codable {
    /// It was requested. The copy stays as ``CopyRules`` say.
    case asked
    /// The item is to be available offline. The copy is removed when that is no longer so.
    case availableOffline
}
