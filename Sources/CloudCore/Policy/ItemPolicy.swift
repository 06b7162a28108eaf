import Foundation

/// A rule about the copies of an item and of everything below it, followed after each scan.
public struct ItemPolicy: Identifiable, Hashable, Sendable {
    /// The kinds of rules.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Files have a local copy, including those added later, wherever the item moves.
        case availableOffline
    }

    /// The identifier, by which the rule is removed.
    public let id: UUID
    /// The kind of the rule.
    public let kind: Kind
    /// The file or directory.
    public let itemID: LocalID
}

/// How a vault treats copies without a policy, tombstones and thumbnails.
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
