import FileProviding

/// A running query and how far it has followed the database. Used by one ``QueryPump`` only.
struct RunningQuery {
    let query: Query
    /// The scope of its items; `nil` while its directory or item is not known.
    var scope: ItemScope?
    /// The point up to which its results are current.
    var anchor = SyncAnchor.beginning
    /// The number of directory moves at that point.
    private var directoryMoves: Int64 = 0
    private var hasLoaded = false

    init(_ query: Query) { self.query = query }

    /// Whether the database has been read, so that there is something to follow from.
    var hasBegun: Bool { anchor != .beginning }

    /// The number of results in the first portion, which the user sees first.
    private static let firstPortion = 1_000

    // MARK: Reading everything

    /// Reads all results from the database. The first time, they appear in portions as they are read.
    mutating func load(_ reader: ItemReader) throws {
        anchor = try reader.anchor()
        directoryMoves = try reader.directoryMoves()
        scope = try scope(reader)
        guard let scope else { return show([], .targetRemoved, only: hasLoaded) }
        let presentation = query.presentation
        let isFirst = !hasLoaded
        hasLoaded = true
        var items: [Item] = []
        var showsFirst = isFirst && Self.comesInOrder(presentation)
        let isSorted = try reader.forEachItem(
            in: scope, where: query.condition, sorted: presentation.sorting.keys
        ) { item in
            guard presentation.includes(item) else { return }
            items.append(item)
            guard showsFirst, items.count == Self.firstPortion else { return }
            showsFirst = false
            show(items, .contentsFromCache)
        }
        if !isSorted { items.sort(by: presentation.sorting.precedes) }
        show(items, try startsOver(reader) ? .startOver : .contentsFromCache)
    }

    /// Returns whether the database's order is the query's, so that the first rows are the first results.
    private static func comesInOrder(_ presentation: Query.Presentation) -> Bool {
        switch presentation.sorting.keys?.key {
        case .path, .extension, nil: false
        case .name, .size, .modifiedDate, .creationDate: true
        }
    }

    /// Shows items, together with the query's state if it had none yet or if the state has changed.
    private func show(_ items: [Item], _ state: QueryState, only isKnown: Bool = true) {
        query.change { shared in
            if shared.results.replace(with: items) { shared.hasChanges = true }
            switch (state, shared.state) {
            case (.targetRemoved, _) where isKnown, (.startOver, _): shared.state = state
            case (.targetRemoved, .targetRemoved): break
            case (_, .targetRemoved) where shared.failure?.isNoSuchFile ?? false:
                // The server had said that it is gone, and has it again.
                (shared.state, shared.failure) = (.idle, nil)
            case (_, .stopped), (_, .targetRemoved): shared.state = .contentsFromCache
            default: break
            }
        }
    }

    /// Returns whether the query is about changes since a point that the vault does not remember.
    private func startsOver(_ reader: ItemReader) throws -> Bool {
        guard case .since(let anchor) = query.target else { return false }
        return try !reader.remembers(anchor)
    }

    private func scope(_ reader: ItemReader) throws -> ItemScope? {
        switch query.target {
        case .custom: return .vault
        case .since(let anchor): return try reader.remembers(anchor) ? .since(anchor) : .since(.beginning)
        case .location(let path):
            if case .directory(let id)? = scope, try reader.item(id)?.isRemoved == false { return scope }
            guard let item = try reader.item(at: path), item.isDirectory else { return nil }
            return .directory(item.localID)
        case .item(let path):
            if case .item(let id)? = scope, try reader.item(id)?.isRemoved == false { return scope }
            return try reader.item(at: path).map { .item($0.localID) }
        }
    }

    // MARK: Following changes

    /// Applies changes; `changed` holds everything after ``anchor``. Reads everything again if the changes do not tell
    /// everything.
    mutating func follow(_ changed: [Item]?, _ reader: ItemReader) throws {
        guard hasLoaded, let changed, let scope, try reader.directoryMoves() == directoryMoves else {
            return try load(reader)
        }
        let news = changed.filter { $0.revision > anchor.count }
        anchor = try reader.anchor()
        if news.contains(where: { $0.isRemoved && isTarget($0.localID, of: scope) }) { return try load(reader) }
        guard !news.isEmpty else { return }
        // If the owner changes the presentation meanwhile, everything is read again.
        let (presentation, results) = query.shown
        let absorption = results.absorption(of: news) { item in
            scope.contains(item) && query.matcher.matches(item) && presentation.includes(item)
        }
        guard let absorption else { return }
        query.change { shared in
            shared.results.absorb(absorption)
            shared.hasChanges = true
        }
    }

    private func isTarget(_ id: LocalID, of scope: ItemScope) -> Bool { scope == .directory(id) || scope == .item(id) }
}
