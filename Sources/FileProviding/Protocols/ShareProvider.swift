import Foundation

/// What can be done about shares: links, users and groups. By providers, whose paths are the storage's, and by whoever shows a
/// part of one under paths of its own.
public protocol ShareManaging: Sendable {
    /// The shares of an item, or with `nil` everything that the account shares.
    func shares(of path: ItemPath?) async throws -> [Share]
    /// What others share with the account and appears below the root, by where that is.
    func sharesWithMe() async throws -> [Share]
    /// Makes a share. The error has the server's words, such as which password it would take.
    func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share
    /// Changes a share; what the draft leaves `nil` stays.
    func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share
    /// Ends a share.
    func removeShare(_ share: Share) async throws
    /// People and groups that match a text, exact matches first.
    func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee]
}

/// A provider that manages shares.
public protocol ShareProvider: FileProviderSharing, ShareManaging {}

/// Someone that an item can be shared with.
public struct Sharee: Hashable, Sendable, Codable {
    /// A kind of receiver.
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

    /// The kind of receiver.
    public var kind: Kind
    /// The server's identifier; empty for a link.
    public var id: String
    /// The name for people.
    public var displayName: String

    /// A receiver as the server describes it.
    public init(kind: Kind, id: String = "", displayName: String = "") {
        self.kind = kind
        self.id = id
        self.displayName = displayName
    }
}

/// What a receiver may do.
public struct SharePermissions: OptionSet, Hashable, Sendable, Codable {
    /// The OCS share API's bits.
    public let rawValue: Int
    /// Permissions of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// See and download.
    public static let read = SharePermissions(rawValue: 1)
    /// Change files.
    public static let update = SharePermissions(rawValue: 2)
    /// Add items.
    public static let create = SharePermissions(rawValue: 4)
    /// Remove items.
    public static let delete = SharePermissions(rawValue: 8)
    /// Share further.
    public static let share = SharePermissions(rawValue: 16)
}

/// An item shared with someone.
public struct Share: Hashable, Sendable, Codable {
    /// The server's identifier.
    public var id: String
    /// The item.
    public var path: ItemPath
    /// Whom it is shared with.
    public var receiver: Sharee
    /// Who shares it.
    public var owner: Sharee?
    /// What the receiver may do.
    public var permissions: SharePermissions
    /// The link, for one.
    public var url: URL?
    /// The share's name.
    public var name: String?
    /// When it ends, or `nil` for never.
    public var expiration: Date?
    /// Whether a password protects it.
    public var hasPassword: Bool
    /// Whether the account has taken what somebody shares with it; `nil` for what it shares itself.
    public var state: State?

    /// What has become of an offer.
    public enum State: String, Hashable, Sendable, Codable {
        /// It is among the account's files.
        case accepted
        /// Nobody has answered yet.
        case pending
        /// The account does not want it.
        case declined
    }

    /// A share as the server describes it.
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
    /// The same share of an item that is elsewhere, or that another root is seen from.
    package func moved(to path: ItemPath) -> Share {
        var share = self
        share.path = path
        return share
    }
}

/// What a new share is to be, or what is to change in one.
public struct ShareDraft: Sendable {
    /// Whom to share with; fixed once the share exists.
    public var receiver: Sharee
    /// What the receiver may do; the server's default with `nil`.
    public var permissions: SharePermissions?
    /// A password for a link.
    public var password: String?
    /// When it ends.
    public var expiration: Date?
    /// A name.
    public var name: String?

    /// A share with `receiver`, the rest as the server does it by default.
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
