/// Why a copy was fetched.
public enum DownloadTrigger: String, Hashable, Sendable, Codable {
    /// Somebody asked for it. The copy stays as ``CopyRules`` say.
    case asked
    /// The item is to be available offline. The copy goes when that is no longer so.
    case availableOffline
}
