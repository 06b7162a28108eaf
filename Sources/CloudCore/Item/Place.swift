import FileProviding

/// Where an item is: a name in a directory.
public struct Place: Hashable, Sendable, Codable {
    /// The directory's identifier.
    public var parentID: LocalID
    /// The exact name.
    public var name: ItemName

    /// Creates a place.
    public init(_ name: ItemName, in parentID: LocalID) {
        self.parentID = parentID
        self.name = name
    }
}

extension Item {
    /// Where the item is within the vault; `nil` for the root.
    public var place: Place? { parentID.map { Place(itemName, in: $0) } }
}
