/// Pulls the pages of a tree, one directory after another. One reader at a time.
final class RecursiveWalk: Sendable {
    private struct State {
        /// The directories to list, the next one last.
        var pending: [ItemPath]
        /// Directories that have been begun before their turn.
        var begun: [ItemPath: DirectoryPages] = [:]
        var current: DirectoryPages?
    }

    /// The number of directories next in turn that are begun.
    private static let ahead = 8
    /// The number of begun directories up to which those below them are begun too.
    private static let most = 2 * ahead

    private let state: Locked<State>
    private let list: @Sendable (ItemPath) -> DirectoryListing

    init(root: ItemPath, list: @escaping @Sendable (ItemPath) -> DirectoryListing) {
        state = Locked(State(pending: [root]))
        self.list = list
    }

    deinit {
        // Nobody wants the rest.
        state.withLock { state in state.begun.values.forEach { $0.cancel() } }
    }

    func nextPage() async throws -> DirectoryListing.Page? {
        while let pages = current() {
            let page: DirectoryListing.Page?
            do { page = try await pages.next() } catch {
                // The directory is dropped, so that the next pull continues after it.
                state.withLock { $0.current = nil }
                throw error
            }
            if let page {
                note(page.filter(\.isDirectory).map(\.path))
                return page
            }
            state.withLock { $0.current = nil }
        }
        return nil
    }

    /// Returns the current directory, or the next one, or `nil` when all are done.
    private func current() -> DirectoryPages? {
        state.withLock { state in
            if state.current == nil, let next = state.pending.popLast() {
                state.current = state.begun.removeValue(forKey: next) ?? DirectoryPages(list(next))
            }
            return state.current
        }
    }

    /// Adds directories to be listed next, and begins the first ones.
    private func note(_ directories: [ItemPath]) {
        state.withLock { state in
            state.pending += directories.reversed()
            for path in state.pending.suffix(Self.ahead).reversed() { begin(path, &state) }
        }
    }

    /// Begins directories below one that was begun itself.
    private func foresee(_ directories: [ItemPath]) {
        state.withLock { state in
            for path in directories where state.begun.count < Self.most { begin(path, &state) }
        }
    }

    private func begin(_ path: ItemPath, _ state: inout State) {
        guard state.begun[path] == nil else { return }
        let pages = DirectoryPages(list(path))
        state.begun[path] = pages
        pages.begin { [weak self] page in self?.foresee(page.filter(\.isDirectory).map(\.path)) }
    }
}

/// The pages of one directory, of which the first may be fetched ahead.
private final class DirectoryPages: Sendable {
    private let iterator: Locked<DirectoryListing.AsyncIterator>
    private let first = Locked<Task<DirectoryListing.Page?, any Error>?>(nil)

    init(_ listing: DirectoryListing) { iterator = Locked(listing.makeAsyncIterator()) }

    /// - Parameter note: called with the first page when it is there.
    func begin(_ note: @escaping @Sendable (DirectoryListing.Page) -> Void) {
        first.withLock {
            $0 = Task {
                let page = try await self.pull()
                if let page { note(page) }
                return page
            }
        }
    }

    func cancel() { first.withLock { $0?.cancel() } }

    func next() async throws -> DirectoryListing.Page? {
        let begun = first.withLock { first in
            defer { first = nil }
            return first
        }
        guard let begun else { return try await pull() }
        return try await withTaskCancellationHandler {
            try await begun.value
        } onCancel: {
            begun.cancel()
        }
    }

    private func pull() async throws -> DirectoryListing.Page? {
        var iterator = iterator.withLock { $0 }
        let page = try await iterator.next()
        self.iterator.withLock { [iterator] in $0 = iterator }
        return page
    }
}
