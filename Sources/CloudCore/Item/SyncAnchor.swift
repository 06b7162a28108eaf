/// A point in a vault's history, which is counted in the same transaction as every change of an item.
///
/// Keep an anchor to query later for everything that has changed since. Anchors of other vaults, or of a vault before
/// its database had to be rebuilt, are recognized, and the answer is "start over".
public struct SyncAnchor: Hashable, Sendable, Codable {
    /// The database that counted; 0 for ``beginning``.
    let generation: Int64
    /// The number of changes until then.
    let count: Int64

    /// The anchor before everything, in any vault.
    public static let beginning = SyncAnchor(generation: 0, count: 0)
}
