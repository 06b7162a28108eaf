import FileProviding

/// A copy of a directory whose original is to be removed, as far as it was copied.
struct CopiedDirectory {
    let path: ItemPath
    /// Whether the copies have the originals' times; otherwise only sizes are compared.
    let keepsTimes: Bool

    /// Returns the copy of a subdirectory.
    func inner(_ name: ItemName) -> CopiedDirectory {
        CopiedDirectory(path: path.appending(name), keepsTimes: keepsTimes)
    }

    /// Throws unless each of the original's entries, as it is now, is among the copies.
    func confirm(_ entries: [FileObject], are copies: [FileObject]) throws {
        let copies = Dictionary(copies.map { ($0.itemName, $0) }) { first, _ in first }
        for entry in entries {
            guard let copy = copies[entry.itemName], isSame(entry, copy) else { throw FileError.changed(entry.path) }
        }
    }

    private func isSame(_ entry: FileObject, _ copy: FileObject) -> Bool {
        guard entry.type == copy.type else { return false }
        if entry.isSymLink { return entry.linkTarget == copy.linkTarget }
        guard entry.isRegularFile else { return true }
        return entry.size == copy.size && (!keepsTimes || copy.hasTime(of: entry))
    }
}

extension FileObject {
    /// Returns whether it has the same time, as far as a file system stores it: some store only every second second.
    func hasTime(of original: FileObject) -> Bool {
        guard let time = modificationTime?.seconds, let other = original.modificationTime?.seconds else { return true }
        return time == other || time.isMultiple(of: 2) && (time - other).magnitude == 1
    }
}
