/// The rights of a recipient.
public struct SharePermissions: OptionSet, Hashable, Sendable, Codable {
    /// The OCS share API's bits.
    public let rawValue: Int
    /// Creates permissions from these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The right to see and download.
    public static let read = SharePermissions(rawValue: 1)
    /// The right to change files.
    public static let update = SharePermissions(rawValue: 2)
    /// The right to add items.
    public static let create = SharePermissions(rawValue: 4)
    /// The right to remove items.
    public static let delete = SharePermissions(rawValue: 8)
    /// The right to share further.
    public static let share = SharePermissions(rawValue: 16)
}
