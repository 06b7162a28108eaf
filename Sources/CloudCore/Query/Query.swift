import FileProviding
import Foundation

/// A long-running question to a ``Core``, with an array of results that stays current.
///
/// Results come from the database first, then from the server, page by page as they are parsed. However many changes there
/// are, the owner is told once that there are some, and asks for ``changes()`` when it gets around to it:
///
/// ```swift
/// let query = Query(.location("/Photos"), where: .name.like("*.jpg", .caseInsensitive))
/// core.start(query)
/// for await notification in query where notification.hasChanges {
///     query.changes().apply(to: &rows)
/// }
/// ```
public final class Query: Sendable {
    /// What the query is about.
    public let target: QueryTarget
    /// What holds for every result: evaluated by the database, and in memory for what changes.
    public let condition: FileQuery
    let matcher: FileQuery.Matcher
    let shared: Locked<Shared>

    /// How the results are chosen and ordered; can change while the query runs.
    public struct Presentation: Sendable {
        /// What decides in memory, besides the condition. All must agree.
        public var filters: [any QueryFilter]
        /// The order of the results.
        public var sorting: QuerySorting
        /// How many results there are at most: the first ones.
        public var limit: Int?

        /// Everything, by name.
        public init(filters: [any QueryFilter] = [], sorting: QuerySorting = .name, limit: Int? = nil) {
            self.filters = filters
            self.sorting = sorting
            self.limit = limit
        }

        /// Whether the filters let an item through.
        func includes(_ item: Item) -> Bool { filters.allSatisfy { $0.shouldInclude(item) } }
    }

    struct Shared {
        var state = QueryState.stopped
        var presentation: Presentation
        var results: QueryResults
        /// Whether the owner has been told of changes and has not asked for them.
        var hasChanges = false
        var failure: (any Error)?
        /// Whether the query has been stopped, so that nothing more will be told.
        var hasEnded = false
        var listeners: [UUID: AsyncStream<QueryNotification>.Continuation] = [:]
        var link: QueryLink?
        weak var delegate: (any QueryDelegate)?
    }

    /// A query that runs once it is given to ``Core/start(_:)``.
    ///
    /// - Parameters:
    ///   - target: where to look.
    ///   - condition: what has to hold.
    ///   - presentation: filters, order and limit.
    public init(
        _ target: QueryTarget, where condition: FileQuery = .all, presentation: Presentation = Presentation()
    ) {
        self.target = target
        self.condition = condition
        matcher = condition.matcher()
        shared = Locked(
            Shared(
                presentation: presentation,
                results: QueryResults(limit: presentation.limit, precedes: presentation.sorting.precedes)))
    }

    /// Is told of news; weak.
    public var delegate: (any QueryDelegate)? {
        get { shared.withLock { $0.delegate } }
        set { shared.withLock { $0.delegate = newValue } }
    }

    /// How the query stands.
    public var state: QueryState { shared.withLock { $0.state } }

    /// Why the server could not be asked the last time, or the vault not be read at the start; `nil` when it could. An
    /// iteration that ends although nobody has stopped the query finds the reason here.
    public var failure: (any Error)? { shared.withLock { $0.failure } }

    /// All results as they are now. Asking does not count as asking for the changes.
    public var queryResults: [Item] { shared.withLock { $0.results.visible } }

    /// What has changed since this was last asked, or for the first time since there was nothing: exactly and compactly.
    public func changes() -> QueryChangeSet {
        shared.withLock { shared in
            shared.hasChanges = false
            return shared.results.takeChanges()
        }
    }

    /// How the results are chosen and ordered. What a change does to them is among the changes to ask for.
    public var presentation: Presentation {
        get { shared.withLock { $0.presentation } }
        set {
            let link = shared.withLock { shared in
                shared.presentation = newValue
                shared.results = shared.results.reordered(limit: newValue.limit, precedes: newValue.sorting.precedes)
                return shared.link
            }
            link?.reload()
        }
    }
}

/// What a running query can ask its core for.
struct QueryLink: Sendable {
    /// Reads all results anew.
    let reload: @Sendable () -> Void
}
