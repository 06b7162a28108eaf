import FileProviding

/// The contents of a file, kept in a vault: never changed, only replaced by another copy.
package struct LocalCopy: Hashable, Sendable, Codable {
    /// The folder's name.
    package let id: String
    /// The name that the file was stored with, or as much of it as a file name can hold; renames and moves of the item
    /// do not change it.
    package let name: ItemName

    package init(id: String, name: ItemName) {
        self.id = id
        self.name = name
    }

    /// Creates a copy with a unique identifier.
    package init(of name: ItemName) {
        self.init(id: String(UInt64.random(in: 0 ... .max), radix: 36), name: name.storable)
    }
}
