import Foundation

/// The operations on shares: links, users and groups. Providers implement it with paths of the storage; an object that
/// shows part of a storage under paths of its own implements it with those paths.
public protocol ShareManaging: Sendable {
    /// Returns the shares of an item, or with `nil` everything that the account shares.
    func shares(of path: ItemPath?) async throws -> [Share]
    /// Returns the shares through which others give the account items that appear below the root, each with the path
    /// where its item appears.
    func sharesWithMe() async throws -> [Share]
    /// Creates a share. The error carries the server's own message, such as its requirements for a password.
    func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share
    /// Changes a share; whatever is `nil` in the draft stays as it is.
    func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share
    /// Ends a share.
    func removeShare(_ share: Share) async throws
    /// Returns the users and groups that match a text, exact matches first.
    func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee]
}

/// A provider that manages shares.
public protocol ShareProvider: FileProviderSharing, ShareManaging {}

/// A user, group or link that an item can be shared with.
public struct Sharee: Hashable, Sendable, Codable {
    /// A kind of recipient.
    public enum Kind: String, Sendable, Codable {
        /// Anyone with the link.
        case link
        /// One account.
        case user
        /// Every member of a group.
        case group
        /// An account on another server.
        case remote
    }

    /// The kind of recipient.
    public var kind: Kind
    /// The server's identifier; empty for a link.
    public var id: String
    /// The display name.
    public var displayName: String

    /// Creates a recipient as the server describes it.
    public init(kind: Kind, id: String = "", displayName: String = "") {
        self.kind = kind
        self.id = id
        self.displayName = displayName
    }
}

/// The rights of a recipient.
public struct SharePermissions: OptionSet, Hashable, Sendable, Codable {
    /// The OCS share API's bits.
    public let rawValue: Int
    /// Creates permissions from these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The right to see and download.
    public static let read = SharePermissions(rawValue: 1)
    /// The right to change files.
    public static let update = SharePermissions(rawValue: 2)
    /// The right to add items.
    public static let create = SharePermissions(rawValue: 4)
    /// The right to remove items.
    public static let delete = SharePermissions(rawValue: 8)
    /// The right to share further.
    public static let share = SharePermissions(rawValue: 16)
}

/// An item shared with someone.
public struct Share: Hashable, Sendable, Codable {
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

/// The properties of a new share, or the changes to an existing one.
public struct ShareDraft: Sendable {
    /// The recipient, which is fixed once the share exists.
    public var receiver: Sharee
    /// The recipient's rights; with `nil`, the server's default.
    public var permissions: SharePermissions?
    /// A password for a link.
    public var password: String?
    /// When the share expires.
    public var expiration: Date?
    /// The share's name.
    public var name: String?

    /// Creates a draft of a share with `receiver`; everything else is the server's default unless given.
    public init(
        receiver: Sharee, permissions: SharePermissions? = nil, password: String? = nil, expiration: Date? = nil,
        name: String? = nil
    ) {
        self.receiver = receiver
        self.permissions = permissions
        self.password = password
        self.expiration = expiration
        self.name = name
    }
}
