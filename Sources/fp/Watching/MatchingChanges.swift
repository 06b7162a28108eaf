import FileProviders

/// Reduces a folder's changes to those of items that match a query; an item that no longer matches is reported as
/// removed.
struct MatchingChanges {
    private let query: FileQuery
    private let matcher: FileQuery.Matcher
    private let endpoint: Endpoint
    /// The items that match now.
    private var matching = PathSet()

    /// Finds the items that match now. Changes that happen meanwhile must be processed afterwards.
    init(_ query: FileQuery, at endpoint: Endpoint) async throws {
        self.query = query
        self.endpoint = endpoint
        matcher = query.matcher()
        try await look(below: endpoint.path)
    }

    private mutating func look(below path: ItemPath) async throws {
        var pages = endpoint.provider.search(path: path, recursive: true, query: query).makeAsyncIterator()
        while true {
            do {
                guard let page = try await pages.next() else { return }
                for item in page { matching.insert(item.path) }
            } catch let error where endpoint.placeBelow(of: error) != nil {
                // A folder that cannot be listed reports no changes either.
            }
        }
    }

    /// Returns the lines for a change, as far as it concerns matching items.
    mutating func lines(for change: FileChange) async throws -> [ChangeLine] {
        switch change {
        case .created(let path), .modified(let path):
            guard let item = try await match(at: path) else { return removal(of: path) }
            matching.insert(path)
            return [ChangeLine(change, item)]
        case .removed(let path):
            return matching.paths(in: path).flatMap { removal(of: $0) }
        case .moved(let from, let to):
            // The paths of items below it have changed too.
            let known = matching.paths(in: from)
            var lines: [ChangeLine] = []
            for former in known.contains(from) ? known : [from] + known {
                let now = former.relative(to: from).map { $0.isRoot ? to : to.appending($0) } ?? to
                lines += try await move(of: former, to: now)
            }
            return lines
        case .rescan(let path):
            matching.paths(in: path).forEach { matching.remove($0) }
            try await look(below: path)
            return [ChangeLine(change)]
        }
    }

    private mutating func move(of former: ItemPath, to path: ItemPath) async throws -> [ChangeLine] {
        let gone = removal(of: former)
        guard let item = try await match(at: path) else { return gone + removal(of: path) }
        matching.insert(path)
        return [ChangeLine(.moved(from: former, to: path), item)]
    }

    private mutating func removal(of path: ItemPath) -> [ChangeLine] {
        matching.remove(path) ? [ChangeLine(.removed(path))] : []
    }

    /// Returns the item if it matches. One that is gone or cannot be looked up is matched only by name and path.
    private func match(at path: ItemPath) async throws -> FileObject? {
        let item: FileObject
        do { item = try await endpoint.provider.attributesOfItem(path: path) } catch let error
            where error.isNoSuchFile || endpoint.placeBelow(of: error) != nil
        {
            item = FileObject(path: path, type: .unknown)
        }
        return matcher.matches(item) ? item : nil
    }
}

/// A set of paths that also counts how many are below each directory.
private struct PathSet {
    private var members: Set<ItemPath> = []
    private var counts: [ItemPath: Int] = [:]

    mutating func insert(_ path: ItemPath) {
        guard members.insert(path).inserted else { return }
        for directory in sequence(first: path, next: \.parent).dropFirst() { counts[directory, default: 0] += 1 }
    }

    @discardableResult
    mutating func remove(_ path: ItemPath) -> Bool {
        guard members.remove(path) != nil else { return false }
        for directory in sequence(first: path, next: \.parent).dropFirst() {
            counts[directory] = counts[directory].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        return true
    }

    /// Returns this path, if it is a member, and all members below it.
    func paths(in path: ItemPath) -> [ItemPath] {
        guard counts[path] != nil else { return members.contains(path) ? [path] : [] }
        return members.filter { $0.isInside(path) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
