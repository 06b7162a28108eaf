import Foundation

/// An item shared with someone.
public struct Share: Hashable, Sendable, Codable, Identifiable {
    /// The server's identifier.
    public var id: String
    /// The path of the shared item.
    public var path: ItemPath
    /// The recipient of the share.
    public var receiver: Sharee
    /// The account that shares the item.
    public var owner: Sharee?
    /// The recipient's rights.
    public var permissions: SharePermissions
    /// The link, if the share is one.
    public var url: URL?
    /// The share's name.
    public var name: String?
    /// When the share expires, or `nil` for never.
    public var expiration: Date?
    /// Whether a password protects it.
    public var hasPassword: Bool
    /// Whether the account has accepted a share offered to it; `nil` for the account's own shares.
    public var state: State?

    /// The state of an offered share.
    public enum State: String, Hashable, Sendable, Codable {
        /// The shared item is among the account's files.
        case accepted
        /// The account has not responded yet.
        case pending
        /// The account has declined the share.
        case declined
    }

    /// Creates a share as the server describes it.
    public init(
        id: String, path: ItemPath, receiver: Sharee, owner: Sharee? = nil, permissions: SharePermissions,
        url: URL? = nil, name: String? = nil, expiration: Date? = nil, hasPassword: Bool = false, state: State? = nil
    ) {
        self.id = id
        self.path = path
        self.receiver = receiver
        self.owner = owner
        self.permissions = permissions
        self.url = url
        self.name = name
        self.expiration = expiration
        self.hasPassword = hasPassword
        self.state = state
    }
}

extension Share {
    /// Returns the same share with the item's path as seen from another root, or after a move.
    package func moved(to path: ItemPath) -> Share {
        var share = self
        share.path = path
        return share
    }
}
