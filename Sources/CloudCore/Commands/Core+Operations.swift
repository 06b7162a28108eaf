import FileProviding
import Foundation

/// The commands as methods that wait until the server has carried them out: the core works while one is awaited,
/// whether it runs or not.
///
/// If the server is unavailable, they wait until it is back; ``submit(_:)`` returns when the vault has the command.
/// Cancelling the waiting task undoes nothing: use the command's progress or ``cancel(_:)`` for that.
extension Core {
    /// Creates a directory in another one.
    @discardableResult
    public func createFolder(_ name: ItemName, in directory: LocalID) async throws -> Item {
        try await submit(.createFolder(name, in: directory)).item
    }

    /// Sends contents as a new file.
    @discardableResult
    public func upload(_ contents: ByteStream, as name: ItemName, in directory: LocalID) async throws -> Item {
        try await submit(.upload(contents, as: name, in: directory)).item
    }

    /// Sends a local file as a new file.
    @discardableResult
    public func upload(localFile file: LocalPath, as name: ItemName, in directory: LocalID) async throws -> Item {
        try await upload(ByteStream(localFile: file), as: name, in: directory)
    }

    /// Replaces a file's contents.
    @discardableResult
    public func modify(_ item: LocalID, contents: ByteStream) async throws -> Item {
        try await submit(.modify(item, contents)).item
    }

    /// Fetches a file's contents into the vault; see ``localCopy(of:)``.
    @discardableResult
    public func download(_ item: LocalID) async throws -> Item { try await submit(.download(item)).item }

    /// Renames an item within its directory.
    @discardableResult
    public func rename(_ item: LocalID, to name: ItemName) async throws -> Item {
        guard let parent = try await self.item(item)?.parentID else { throw FileError.noSuchFile("item \(item)") }
        return try await submit(.move(item, to: parent, as: name)).item
    }

    /// Moves an item to another directory, under its current name or another one.
    @discardableResult
    public func move(_ item: LocalID, to directory: LocalID, as name: ItemName? = nil) async throws -> Item {
        guard let old = try await self.item(item)?.itemName else { throw FileError.noSuchFile("item \(item)") }
        return try await submit(.move(item, to: directory, as: name ?? old)).item
    }

    /// Copies an item; a directory with everything below it.
    @discardableResult
    public func copy(_ item: LocalID, to directory: LocalID, as name: ItemName? = nil) async throws -> Item {
        guard let old = try await self.item(item)?.itemName else { throw FileError.noSuchFile("item \(item)") }
        return try await submit(.copy(item, to: directory, as: name ?? old)).item
    }

    /// Sets attributes of an item, such as the modification time; those that are `nil` stay as they are.
    ///
    /// - Throws: `.featureUnsupported` when the server has no way to change one of them: then nothing is changed.
    @discardableResult
    public func update(_ item: LocalID, _ attributes: ItemAttributes) async throws -> Item {
        try await submit(.update(item, attributes)).item
    }

    /// Removes an item; a directory with everything below it.
    public func delete(_ item: LocalID) async throws { _ = try await submit(.delete(item)).item }
}
