/// A point in a vault's history, which is counted in the same transaction as every change of an item.
///
/// Keep one to ask later for everything that has changed since. Anchors of different vaults, or of a vault from before its
/// database had to be rebuilt, are told apart and answered "start over".
public struct SyncAnchor: Hashable, Sendable, Codable {
    /// Which database counted; 0 for ``beginning``.
    let generation: Int64
    /// How many changes there had been.
    let count: Int64

    /// Before everything, in any vault.
    public static let beginning = SyncAnchor(generation: 0, count: 0)
}
