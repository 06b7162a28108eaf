/// An item's permanent identifier within its vault: assigned once, kept from placeholder to server item and through
/// every rename and move, never reused by the same database. One that is rebuilt after damage begins anew.
public struct LocalID: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64

    /// Creates an identifier from its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The vault's root directory, which every vault has.
    public static let root = LocalID(rawValue: 1)

    /// Returns whether `a` was assigned earlier than `b`.
    public static func < (a: LocalID, b: LocalID) -> Bool { a.rawValue < b.rawValue }

    /// The number's digits.
    public var description: String { String(rawValue) }
}
