import Foundation

/// What a provider knows of the storage that it serves. What it was not told is `nil`.
public struct VolumeObject: Sendable, Hashable {
    /// The storage's name.
    public var name: String?
    /// A permanent identifier.
    public var uuid: String?
    /// Where the storage is reached.
    public var url: URL?
    /// All bytes, or the account's quota; `nil` also for "unlimited".
    public var totalCapacity: Int64?
    /// Bytes that can still be written by the person asking.
    public var availableCapacity: Int64?
    /// Bytes in use, where it is told; else derived in ``usage``.
    public var usedCapacity: Int64?
    /// Whether nothing can be written.
    public var isReadOnly: Bool?
    /// When the storage was created.
    public var creationTime: FileTime?

    /// A volume of which nothing is known yet.
    public init(name: String? = nil) { self.name = name }

    /// Bytes in use: as told, else the total less what is available.
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
