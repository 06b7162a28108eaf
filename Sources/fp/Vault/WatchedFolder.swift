import CloudCore
import FileProviders

/// The folder whose items a query shows, followed when it moves; once it is gone, what has its path is the folder.
struct WatchedFolder {
    private let core: Core
    private let query: Query
    private let notice: (String) -> Void
    private var id: LocalID
    private var path: ItemPath
    private var isGone = false

    /// - Parameter notice: called with what to say about the folder.
    init(_ folder: Item, of core: Core, shownBy query: Query, notice: @escaping (String) -> Void) {
        (self.core, self.query, self.notice) = (core, query, notice)
        (id, path) = (folder.localID, folder.path)
    }

    /// Makes the query show what is in the folder, wherever that is by now.
    mutating func follow() async throws {
        if let folder = try await core.item(id), !folder.isRemoved {
            isGone = false
            guard folder.path != path else { return }
            path = folder.path
            query.presentation.filters = [ItemsBelow(directory: path)]
        } else if let folder = try await core.item(at: path), folder.isDirectory {
            (id, isGone) = (folder.localID, false)
        } else if !isGone {
            isGone = true
            notice("the folder is gone; watching for one in its place")
        }
    }
}

/// Items below a directory, at any depth.
struct ItemsBelow: QueryFilter {
    let directory: ItemPath

    func shouldInclude(_ item: Item) -> Bool { item.path.isInside(directory) && item.path != directory }
}
