import FileProviding
import Foundation

/// An entry in a stored list of providers: a display name, a kind, a configuration, no secret.
///
/// The configuration is kept as it was read, even for kinds that this program does not know, so that writing the list
/// back loses nothing.
public struct StoredProvider: Codable, Hashable, Sendable, Identifiable {
    /// The identifier under which its secret is kept.
    public var id: UUID
    /// The display name.
    public var name: String
    /// `FileProviderBasic.type` of its kind.
    public var type: String
    /// The entry's directory within the provider, which is not the provider's root.
    public var root: ItemPath
    /// The kind's own configuration.
    public var configuration: JSONValue

    /// Creates an entry.
    public init(id: UUID = UUID(), name: String, type: String, root: ItemPath, configuration: JSONValue) {
        self.id = id
        self.name = name
        self.type = type
        self.root = root
        self.configuration = configuration
    }
}
