import FileProviding

extension FileProvider {
    /// Removes an item only as it was when it was looked at: at every look its tag, size and time have to be the same, and the
    /// storage is told to remove that version only.
    ///
    /// - Throws: ``FileError/changed(_:)`` when it is another by now, and stays.
    package func remove(_ path: ItemPath, ifStill item: FileObject) async throws {
        // A tag may be the same for all of a server's files.
        let now = try await attributesOfItem(path: path)
        guard item.version.matches(now), now.type == item.type, now.size == item.size,
            now.modificationTime == item.modificationTime, now.linkTarget == item.linkTarget || item.linkTarget == nil
        else { throw FileError.changed(path) }
        try await run(.remove(path), options: OperationOptions(expecting: item.version))
    }
}
