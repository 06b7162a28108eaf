import FileProviding
import Foundation

/// A long-running query of a ``Core``, with an array of results that stays current.
///
/// Results come from the database first, then from the server, page by page as they are parsed. However many changes
/// there are, the owner is notified once that there are some, and calls ``changes()`` when it is ready:
///
/// ```swift
/// let query = Query(.location("/Photos"), where: .name.like("*.jpg", .caseInsensitive))
/// core.start(query)
/// for await notification in query where notification.hasChanges {
///     query.changes().apply(to: &rows)
/// }
/// ```
public final class Query: Sendable {
    /// The items that are searched.
    public let target: QueryTarget
    /// The condition that every result meets: evaluated by the database, and in memory for changed items.
    public let condition: FileQuery
    let matcher: FileQuery.Matcher
    let shared: Locked<Shared>

    /// How the results are filtered and ordered; can be changed while the query runs.
    public struct Presentation: Sendable {
        /// The filters that are applied in memory, in addition to the condition. An item has to pass all of them.
        public var filters: [any QueryFilter]
        /// The order of the results.
        public var sorting: QuerySorting
        /// The most results: the first ones.
        public var limit: Int?

        /// Creates a presentation; by default everything, ordered by name.
        public init(filters: [any QueryFilter] = [], sorting: QuerySorting = .name, limit: Int? = nil) {
            self.filters = filters
            self.sorting = sorting
            self.limit = limit
        }

        /// Returns whether an item passes the filters.
        func includes(_ item: Item) -> Bool { filters.allSatisfy { $0.shouldInclude(item) } }
    }

    struct Shared {
        var state = QueryState.stopped
        var presentation: Presentation
        var results: QueryResults
        /// Whether the owner has been notified of changes and has not fetched them.
        var hasChanges = false
        var failure: (any Error)?
        /// Whether the query has been stopped, so that there are no more notifications.
        var hasEnded = false
        /// How often there was something to notify of.
        var notificationNumber = 0
        /// What wakes those who iterate.
        var wakers: [UUID: AsyncStream<Void>.Continuation] = [:]
        var link: QueryLink?
        weak var delegate: (any QueryDelegate)?
    }

    /// Creates a query that runs once it is passed to ``Core/start(_:)``.
    ///
    /// - Parameters:
    ///   - target: where to search.
    ///   - condition: the condition that every result meets.
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

    /// The delegate that is notified of changes; held weakly.
    public var delegate: (any QueryDelegate)? {
        get { shared.withLock { $0.delegate } }
        set { shared.withLock { $0.delegate = newValue } }
    }

    /// The query's state.
    public var state: QueryState { shared.withLock { $0.state } }

    /// Why the server could not be reached the last time, or the vault not be read at the start; `nil` if there was no
    /// failure. If an iteration ends although nobody has stopped the query, the reason is here.
    public var failure: (any Error)? { shared.withLock { $0.failure } }

    /// All current results. Reading them does not count as fetching the changes.
    public var queryResults: [Item] { shared.withLock { $0.results.visible } }

    /// Returns exactly what has changed since the last call, or since the empty results at first.
    public func changes() -> QueryChangeSet {
        shared.withLock { shared in
            shared.hasChanges = false
            return shared.results.takeChanges()
        }
    }

    /// The presentation and the results as they are at this moment.
    var shown: (presentation: Presentation, results: QueryResults) {
        shared.withLock { ($0.presentation, $0.results) }
    }

    /// How the results are filtered and ordered. The effects of setting it are among the changes to fetch.
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

/// The functions of the core that a running query can use.
struct QueryLink: Sendable {
    /// Reads all results again.
    let reload: @Sendable () -> Void
}
