import FileProviding

/// What a ``Core`` can be told to do with items.
///
/// A command shows in the vault at once and is kept until the server has it; see ``Core/submit(_:)``.
public enum Command: Sendable {
    /// Make a directory in another one.
    case createFolder(ItemName, in: LocalID)
    /// Send a new file: its contents are taken into the vault.
    case upload(ByteStream, as: ItemName, in: LocalID)
    /// Give a file other contents, which are taken into the vault.
    case modify(LocalID, ByteStream)
    /// Fetch a file's contents into the vault.
    case download(LocalID)
    /// Move an item, and give it a name.
    case move(LocalID, to: LocalID, as: ItemName)
    /// Copy an item, a directory with everything below it.
    case copy(LocalID, to: LocalID, as: ItemName)
    /// Give an item other attributes; what is `nil` stays as it is. Contents are not touched.
    case update(LocalID, ItemAttributes)
    /// Remove an item, a directory with everything below it.
    case delete(LocalID)
}
