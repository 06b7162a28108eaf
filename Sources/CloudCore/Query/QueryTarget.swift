import FileProviding

/// The items that a query searches.
public enum QueryTarget: Sendable, Hashable {
    /// The entries of a directory. The query follows the directory when it moves.
    case location(ItemPath)
    /// One item, which the query follows when it moves.
    case item(ItemPath)
    /// Every item that has changed since, tombstones of removed ones included; see ``Item/isRemoved``.
    case since(SyncAnchor)
    /// Every item of the vault that meets the query's condition. A server that keeps an index (``SearchingConnection``)
    /// is searched when the query starts and when it is refreshed, for items that no scan has seen yet.
    case custom
}
