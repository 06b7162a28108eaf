/// The state of a query.
public enum QueryState: String, Sendable, Hashable {
    /// Not started yet, or stopped; also between the start and the first results from the database.
    case stopped
    /// The results come from the database; the server has not been contacted, or has not answered: it may be
    /// unavailable.
    case contentsFromCache
    /// The server has been contacted; its answer appears in the results as it arrives.
    case updating
    /// The results are current: for a location or an item, what the server last reported; for others, what the vault
    /// has. Whether the server can still be reached shows in the core's connection status.
    case idle
    /// The directory or item is gone. The results are empty, until it comes back.
    case targetRemoved
    /// The vault does not remember the requested point in its history: the results are everything that it has, and
    /// anything else that the owner has is outdated.
    case startOver
}
