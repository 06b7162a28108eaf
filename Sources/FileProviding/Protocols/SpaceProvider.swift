import Foundation

/// A provider that offers several trees ("drives", "spaces") to one account.
public protocol SpaceProvider: FileProviderBasic {
    /// Returns the trees that the account can see.
    func spaces() async throws -> [StorageSpace]
    /// Returns a provider of one of these trees, over the same session.
    func provider(for space: StorageSpace) throws -> Self
}

/// A separate tree on a server: a personal, project or shared one.
public struct StorageSpace: Hashable, Sendable, Codable {
    /// The server's identifier.
    public var id: String
    /// The display name.
    public var name: String
    /// `personal`, `project`, `share` or whatever else the server calls it.
    public var kind: String
    /// The URL of the space's root.
    public var url: URL?

    /// Creates a space as the server describes it.
    public init(id: String, name: String, kind: String, url: URL? = nil) {
        self.id = id
        self.name = name
        self.kind = kind
        self.url = url
    }
}
