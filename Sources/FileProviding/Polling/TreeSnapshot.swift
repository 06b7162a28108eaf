/// The entries of a directory, and of those below it, as last seen.
struct TreeSnapshot: Sendable {
    private var entriesByDirectory: [ItemPath: [ItemName: FileObject]]

    /// - Parameter entries: in any order; those of `root`, with `isRecursive` also those below.
    init(_ root: ItemPath, entries: [FileObject], isRecursive: Bool) {
        entriesByDirectory = [root: [:]]
        for entry in entries {
            entriesByDirectory[entry.path.parent ?? .root, default: [:]][entry.itemName] = entry
            if isRecursive, entry.isDirectory, !contains(entry.path) { entriesByDirectory[entry.path] = [:] }
        }
    }

    /// The directories whose entries are known.
    var directories: [ItemPath] { entriesByDirectory.keys.map(\.asDirectory) }

    func contains(_ directory: ItemPath) -> Bool { entriesByDirectory[directory] != nil }

    func entries(of directory: ItemPath) -> [FileObject] {
        entriesByDirectory[directory].map { Array($0.values) } ?? []
    }

    /// Replaces a directory's entries by the current ones, and adds the differences to `found`.
    mutating func replace(
        _ directory: ItemPath, by entries: [FileObject], isRecursive: Bool, _ found: inout FoundChanges
    ) {
        let former = entriesByDirectory[directory] ?? [:]
        var present: [ItemName: FileObject] = [:]
        for entry in entries { present[entry.itemName] = entry }
        for (name, entry) in former where present[name]?.type != entry.type {
            if entry.isDirectory { forget(entry.path) }
            found.removed(entry)
        }
        for entry in entries {
            let old = former[entry.itemName].flatMap { $0.type == entry.type ? $0 : nil }
            if old == nil {
                found.created(entry)
                if isRecursive, entry.isDirectory { entriesByDirectory[entry.path] = [:] }
            } else if let old, !entry.isDirectory, !old.isSame(as: entry) {
                found.modified(entry)
            }
            if isRecursive, entry.isDirectory {
                found.metDirectory(entry, isNew: old == nil, hasNewTag: old?.etag?.opaque != entry.etag?.opaque)
            }
        }
        entriesByDirectory[directory] = present
    }

    private mutating func forget(_ directory: ItemPath) {
        entriesByDirectory = entriesByDirectory.filter { !$0.key.isInside(directory) }
    }
}

extension FileObject {
    /// Returns whether two polls saw the same version of an item.
    fileprivate func isSame(as other: FileObject) -> Bool {
        if let mine = fileID, let theirs = other.fileID, mine != theirs { return false }
        return version.matches(other)
    }
}
