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
        /// Whoever receives the link that the server sends to an address of e-mail.
        case email
        /// Every member of a team; Nextcloud called them circles.
        case team
        /// Something else that the product knows, such as a conversation; no new share can be made with it.
        case other
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
