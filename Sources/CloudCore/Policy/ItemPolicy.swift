import Foundation

/// A rule about the copies of an item and of everything below it, wherever the item moves; followed after each scan.
///
/// Of several rules of one kind, that of the nearest item holds; where there is none, ``CopyRules`` do.
public struct ItemPolicy: Identifiable, Hashable, Sendable {
    /// The kinds of rules, of which an item has at most one each.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// See ``Rule/availableOffline``.
        case availableOffline
        /// See ``Rule/expiration(_:)``.
        case expiration
        /// See ``Rule/versionUpdates(_:)``.
        case versionUpdates
    }

    /// What is to happen to the copies.
    public enum Rule: Hashable, Sendable {
        /// Files have a local copy, including those added later. It is updated and does not expire, whatever the other
        /// rules are.
        case availableOffline
        /// Copies that have not been used for this long are removed; with `nil` they are kept.
        case expiration(Duration?)
        /// Whether copies are updated when the server has a newer version.
        case versionUpdates(Bool)

        /// The kind of the rule.
        public var kind: Kind {
            switch self {
            case .availableOffline: .availableOffline
            case .expiration: .expiration
            case .versionUpdates: .versionUpdates
            }
        }
    }

    /// The identifier.
    public let id: UUID
    /// What is to happen.
    public let rule: Rule
    /// The file or directory.
    public let itemID: LocalID

    /// The kind of the rule, by which it is removed.
    public var kind: Kind { rule.kind }
}
