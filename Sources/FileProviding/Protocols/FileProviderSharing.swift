import Foundation

/// A provider that can make an item readable by anyone who has a link.
public protocol FileProviderSharing: FileProviderBasic {
    /// A public link to a file or directory.
    ///
    /// - Throws: `.fileReadNoSuchFile`; ``FileProviderHTTPError`` with the server's own words when it wants something first,
    ///   such as a password.
    func publicLink(to path: ItemPath) async throws -> PublicLink
}

/// A link that anyone can open.
public struct PublicLink: Hashable, Sendable {
    /// The link.
    public var url: URL
    /// The shared item, where the server described it.
    public var file: FileObject?
    /// When the link ends, or `nil` for never.
    public var expiration: Date?

    /// A link as a server gave it.
    public init(url: URL, file: FileObject? = nil, expiration: Date? = nil) {
        self.url = url
        self.file = file
        self.expiration = expiration
    }

    /// Hashes the link alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(url) }
}
