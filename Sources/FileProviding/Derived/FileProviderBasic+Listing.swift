extension FileProviderBasic {
    /// Returns all of a directory's entries, sorted or in the provider's order.
    public func contentsOfDirectory(path: ItemPath, sortedBy order: FileObjectSorting? = nil) async throws
        -> [FileObject]
    {
        var files = try await listing(path: path).collect()
        order?.sort(&files)
        return files
    }

    /// Returns all the matching items.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) async throws -> [FileObject] {
        try await search(path: path, recursive: recursive, query: query).collect()
    }

    /// Returns whether there is an item at `path`. Throws when the storage could not answer.
    public func itemExists(path: ItemPath) async throws -> Bool {
        do {
            _ = try await attributesOfItem(path: path)
            return true
        } catch  where error.isNoSuchFile {
            return false
        }
    }

    /// Lists directory by directory, parents before their children, depth first.
    public func defaultRecursiveListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let walk = RecursiveWalk(root: path, list: { self.listing(path: $0) })
            return { try await walk.nextPage() }
        }
    }

    /// Lists and evaluates the query on the client.
    public func defaultSearch(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        let candidates = recursive ? recursiveListing(path: path) : listing(path: path)
        let matcher = query.matcher()
        return candidates.filter { matcher.matches($0) }
    }
}

/// Pulls the pages of a tree, one directory after another. One reader at a time.
private final class RecursiveWalk: Sendable {
    private struct State {
        var pending: [ItemPath]
        var current: DirectoryListing.AsyncIterator?
    }

    private let state: Locked<State>
    private let list: @Sendable (ItemPath) -> DirectoryListing

    init(root: ItemPath, list: @escaping @Sendable (ItemPath) -> DirectoryListing) {
        state = Locked(State(pending: [root]))
        self.list = list
    }

    func nextPage() async throws -> DirectoryListing.Page? {
        while let pages = begin() {
            var pages = pages
            if let page = try await page(&pages) {
                let below = page.filter(\.isDirectory).map(\.path)
                state.withLock { state in
                    state.current = pages
                    state.pending.append(contentsOf: below.reversed())
                }
                return page
            }
            state.withLock { $0.current = nil }
        }
        return nil
    }

    /// Returns the next page of one directory. A directory that fails is dropped, so that the next pull continues after
    /// it.
    private func page(_ pages: inout DirectoryListing.AsyncIterator) async throws -> DirectoryListing.Page? {
        do { return try await pages.next() } catch {
            state.withLock { $0.current = nil }
            throw error
        }
    }

    /// Returns the current listing, or the next directory's, or `nil` when all are done.
    private func begin() -> DirectoryListing.AsyncIterator? {
        state.withLock { state in
            if state.current == nil, let next = state.pending.popLast() {
                state.current = list(next).makeAsyncIterator()
            }
            return state.current
        }
    }
}
