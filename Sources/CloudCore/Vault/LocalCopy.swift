import FileProviding

/// The contents of a file, kept in a vault: never changed, replaced by another copy.
package struct LocalCopy: Hashable, Sendable, Codable {
    /// The folder's name.
    package let id: String
    /// The name that the file was stored with, or as much of it as a file can have; renames and moves of the item leave it.
    package let name: ItemName

    package init(id: String, name: ItemName) {
        self.id = id
        self.name = name
    }

    /// A copy under a name that no other has.
    package init(of name: ItemName) {
        self.init(id: String(UInt64.random(in: 0 ... .max), radix: 36), name: name.storable)
    }
}
