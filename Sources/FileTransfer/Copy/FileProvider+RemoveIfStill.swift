import FileProviding

extension FileProvider {
    /// Removes an item only if its type, tag, size, modification time and link target have not changed, and asks the
    /// storage to remove only that version.
    ///
    /// - Throws: ``FileError/changed(_:)`` if the item has changed; it is not removed.
    package func remove(_ path: ItemPath, ifStill item: FileObject) async throws {
        // Some servers report the same tag for all files.
        let now = try await attributesOfItem(path: path)
        guard item.version.matches(now), now.type == item.type, now.size == item.size,
            now.modificationTime == item.modificationTime, now.linkTarget == item.linkTarget || item.linkTarget == nil
        else { throw FileError.changed(path) }
        try await step(.remove(path), OperationOptions(expecting: item.version))
    }
}
