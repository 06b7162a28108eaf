import Foundation

/// What a provider knows about its storage. What the storage did not report is `nil`.
public struct VolumeObject: Sendable, Hashable {
    /// The storage's name.
    public var name: String?
    /// A permanent identifier.
    public var uuid: String?
    /// The URL of the storage.
    public var url: URL?
    /// The total number of bytes, or the account's quota; `nil` also for "unlimited".
    public var totalCapacity: Int64?
    /// The number of bytes that the current user can still write.
    public var availableCapacity: Int64?
    /// The number of bytes in use, if reported; otherwise ``usage`` derives it.
    public var usedCapacity: Int64?
    /// Whether nothing can be written.
    public var isReadOnly: Bool?
    /// When the storage was created.
    public var creationTime: FileTime?

    /// Creates a volume of which nothing else is known yet.
    public init(name: String? = nil) { self.name = name }

    /// The number of bytes in use: as reported, otherwise the total minus the available ones.
    public var usage: Int64? {
        if let usedCapacity { return usedCapacity }
        guard let totalCapacity, let availableCapacity else { return nil }
        return max(0, totalCapacity - availableCapacity)
    }

    /// The properties keyed as Foundation's volume resource values.
    public var allValues: [URLResourceKey: Any] {
        var values: [URLResourceKey: Any] = [:]
        values[.volumeNameKey] = name
        values[.volumeUUIDStringKey] = uuid
        values[.volumeURLKey] = url
        values[.volumeTotalCapacityKey] = totalCapacity
        values[.volumeAvailableCapacityKey] = availableCapacity
        values[.volumeIsReadOnlyKey] = isReadOnly
        values[.volumeCreationDateKey] = creationTime?.date
        return values
    }
}
