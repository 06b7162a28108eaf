import Foundation

/// A rule about the copies of an item and of what is below it, followed after each look at the server.
public struct ItemPolicy: Identifiable, Hashable, Sendable {
    /// What a rule is about.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Files have a copy here, those that are added later too, wherever the item moves.
        case availableOffline
    }

    /// What it is given up by.
    public let id: UUID
    /// What it demands.
    public let kind: Kind
    /// The file or directory.
    public let itemID: LocalID
}

/// How a vault deals with copies that no policy is about.
public struct CopyRules: Hashable, Sendable {
    /// How long a copy that nobody uses stays; `nil` for ever.
    public var expiration: Duration?
    /// Whether copies are brought up to date when the server has a newer version.
    public var followsVersions: Bool
    /// How long removed items are remembered: older anchors are answered "start over".
    public var tombstoneLifetime: Duration

    /// Rules; by default copies stay, are brought up to date, and removals are remembered for thirty days.
    public init(
        expiration: Duration? = nil, followsVersions: Bool = true, tombstoneLifetime: Duration = .seconds(30 * 86_400)
    ) {
        self.expiration = expiration
        self.followsVersions = followsVersions
        self.tombstoneLifetime = tombstoneLifetime
    }
}
