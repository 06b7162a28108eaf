import Foundation

/// The properties of a new share, or the changes to an existing one.
public struct ShareDraft: Sendable, Hashable {
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
