import Foundation

/// A claim on an item's copy.
public struct ItemClaim: Identifiable, Hashable, Sendable {
    /// The identifier, by which the claim is given up.
    public let id: UUID
    /// The item whose copy is claimed.
    public let itemID: LocalID
    /// The reason, which says how long the claim holds.
    public let claim: Claim
    /// What the claim prevents.
    public let lock: Claim.Lock
}
