import FileProviding

/// Folders of which the same was found out: up to a thousand, which are then all forgotten, since there may be any
/// number.
final class NotedFolders: Sendable {
    private let folders = Locked<Set<ItemPath>>([])

    func contains(_ folder: ItemPath) -> Bool { folders.withLock { $0.contains(folder) } }

    func note(_ folder: ItemPath) {
        folders.withLock { folders in
            if folders.count >= 1_000 { folders = [] }
            folders.insert(folder)
        }
    }
}
