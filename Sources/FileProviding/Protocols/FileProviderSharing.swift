import Foundation

/// A provider that can share an item with anyone who has a link.
public protocol FileProviderSharing: FileProviderBasic {
    /// Returns a public link to a file or directory.
    ///
    /// - Throws: `.fileReadNoSuchFile`; ``FileProviderHTTPError`` with the server's own message when it requires
    ///   something first, such as a password.
    func publicLink(to path: ItemPath) async throws -> PublicLink
}

/// A link that anyone can open.
public struct PublicLink: Hashable, Sendable {
    /// The link.
    public var url: URL
    /// The shared item, as far as it could be looked up.
    public var file: FileObject?
    /// When the link expires, or `nil` for never.
    public var expiration: Date?
    /// The identifier of the share behind the link, by which a ``ShareProvider`` changes or ends it.
    public var shareID: Share.ID?

    /// Creates a link as a server gave it.
    public init(url: URL, file: FileObject? = nil, expiration: Date? = nil, shareID: Share.ID? = nil) {
        self.url = url
        self.file = file
        self.expiration = expiration
        self.shareID = shareID
    }

    /// Hashes the link alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}
