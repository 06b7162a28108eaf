import FileProviding

/// Pulls a directory's entries: the names are those at the time of the first page, the attributes those at the time of
/// each page.
final class MemoryPages: Sendable {
    private enum State {
        case unopened
        case open(directory: MemoryNode.ID, rest: ArraySlice<ItemName>)
    }

    private let store: MemoryStore
    private let path: ItemPath
    private let pageSize: Int
    private let state = Locked(State.unopened)

    init(store: MemoryStore, path: ItemPath, pageSize: Int) {
        self.store = store
        self.path = path
        self.pageSize = pageSize
    }

    /// Returns the next page, or `nil` after the last.
    func next() throws -> [FileObject]? {
        let (directory, rest) = try position()
        guard !rest.isEmpty else { return nil }
        let page = rest.prefix(pageSize)
        state.withLock { $0 = .open(directory: directory, rest: rest.dropFirst(page.count)) }
        return store.read { tree in
            let entries = tree.nodes[directory]?.entries ?? [:]
            return page.compactMap { name in entries[name].map { tree[$0].object(name: name, in: parent(tree)) } }
        }
    }

    private func position() throws -> (MemoryNode.ID, ArraySlice<ItemName>) {
        if case .open(let directory, let rest) = state.withLock({ $0 }) { return (directory, rest) }
        let node = try store.read { try $0.findDirectory(path) }
        return (node.id, (node.entries ?? [:]).keys.sorted()[...])
    }

    /// Returns the path that entries are listed under: an identifier cannot be extended by a name.
    private func parent(_ tree: MemoryTree) -> ItemPath {
        guard path.isIdentifier, let id = try? tree.locate(path) else { return path }
        return tree.path(of: id) ?? path
    }
}
