import FileProviding

extension FileProvider {
    /// Removes an item only if its type, tag, size, modification time and link target have not changed, and asks the
    /// storage to remove only that version.
    ///
    /// - Throws: ``FileError/changed(_:)`` if the item has changed; it is not removed.
    package func remove(_ path: ItemPath, ifStill item: FileObject) async throws {
        try await requireStill(item, at: path)
        try await step(.remove(path), OperationOptions(expecting: item.version))
    }

    /// Throws if an item's type, tag, size, modification time or link target have changed.
    ///
    /// - Throws: ``FileError/changed(_:)``.
    func requireStill(_ item: FileObject, at path: ItemPath? = nil) async throws {
        let path = path ?? item.path
        // Some servers report the same tag for all files.
        let now = try await attributesOfItem(path: path)
        guard item.version.matches(now), now.type == item.type, now.size == item.size,
            now.modificationTime == item.modificationTime, now.linkTarget == item.linkTarget || item.linkTarget == nil
        else { throw FileError.changed(path) }
    }

    /// Removes a directory if nothing is in it.
    ///
    /// - Throws: as `OperationOptions.onlyIfEmpty` says.
    package func removeIfEmpty(_ directory: ItemPath) async throws {
        var options = OperationOptions()
        options.onlyIfEmpty = true
        try await step(.remove(directory), options)
    }
}
