import FileProviding

/// A change or transfer that a ``Core`` can be told to make.
///
/// A command shows in the vault at once and is kept until the server has carried it out; see ``Core/submit(_:)``.
public enum Command: Sendable {
    /// Create a directory in another one.
    case createFolder(ItemName, in: LocalID)
    /// Send a new file; its contents are copied into the vault. Those of a whole local file bring its modification
    /// time.
    case upload(ByteStream, as: ItemName, in: LocalID)
    /// Replace a file's contents by others, which are copied into the vault.
    case modify(LocalID, ByteStream)
    /// Fetch a file's contents into the vault.
    case download(LocalID)
    /// Move an item, and give it this name.
    case move(LocalID, to: LocalID, as: ItemName)
    /// Copy an item; a directory with everything below it.
    case copy(LocalID, to: LocalID, as: ItemName)
    /// Set attributes of an item; those that are `nil` stay as they are. Contents are not touched.
    case update(LocalID, ItemAttributes)
    /// Remove an item; a directory with everything below it.
    case delete(LocalID)
}
