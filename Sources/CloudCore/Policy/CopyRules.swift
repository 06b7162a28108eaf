import FileProviding

/// How a vault treats copies that no ``ItemPolicy`` is about, tombstones and thumbnails.
public struct CopyRules: Hashable, Sendable {
    /// How long an unused copy is kept; `nil` for forever.
    public var expiration: Duration?
    /// Whether copies are updated when the server has a newer version.
    public var followsVersions: Bool
    /// How long removed items are remembered: for older anchors, the answer is "start over".
    public var tombstoneLifetime: Duration
    /// The size limit for thumbnails in bytes, applied when the vault is vacuumed; the least recently used are removed
    /// first.
    public var thumbnailSpace: Int64

    /// Creates rules. By default copies are kept and updated, removed items are remembered for thirty days, and
    /// thumbnails may take up 256 MiB.
    public init(
        expiration: Duration? = nil, followsVersions: Bool = true, tombstoneLifetime: Duration = .seconds(30 * 86_400),
        thumbnailSpace: Int64 = 256 << 20
    ) {
        self.expiration = expiration
        self.followsVersions = followsVersions
        self.tombstoneLifetime = tombstoneLifetime
        self.thumbnailSpace = thumbnailSpace
    }
}

extension CopyRules {
    /// Returns these rules with those of policies in their place.
    func replaced(by policies: [ItemPolicy.Rule]) -> CopyRules {
        policies.reduce(into: self) { rules, policy in
            switch policy {
            case .availableOffline: break
            case .expiration(let duration): rules.expiration = duration
            case .versionUpdates(let follows): rules.followsVersions = follows
            }
        }
    }
}
