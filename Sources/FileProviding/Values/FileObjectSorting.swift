/// An order for a listing that has been collected. Ties are broken by the name's bytes, so that the order of
/// one directory is total.
public struct FileObjectSorting: Sendable, Hashable, Codable {
    /// The property to sort by.
    public enum Key: String, Sendable, CaseIterable, Codable {
        /// The name, with runs of digits by value: `page 2` before `page 10`; case-insensitive.
        case name
        /// The path's bytes.
        case path
        /// The size; directories, which have none, count as 0.
        case size
        /// The modification time; unknown is earliest.
        case modifiedDate
        /// The creation time; unknown is earliest.
        case creationDate
        /// The file extension.
        case `extension`
    }

    /// The property to sort by.
    public var key: Key
    /// Whether the smallest, the earliest or the alphabetically first comes first.
    public var ascending: Bool
    /// Whether directories come before everything else, in either direction.
    public var directoriesFirst: Bool

    /// Creates an order by `key`.
    public init(_ key: Key, ascending: Bool = true, directoriesFirst: Bool = false) {
        self.key = key
        self.ascending = ascending
        self.directoriesFirst = directoriesFirst
    }

    /// Returns whether `a` comes before `b`.
    public func areInIncreasingOrder(_ a: FileObject, _ b: FileObject) -> Bool {
        if directoriesFirst, a.isDirectory != b.isDirectory { return a.isDirectory }
        let order = ascending ? compare(a, b) : compare(b, a)
        return order != 0 ? order < 0 : a.storage.withName { a in b.storage.withName { a.precedes($0) } }
    }

    /// Sorts in place.
    public func sort(_ files: inout [FileObject]) { files.sort(by: areInIncreasingOrder) }

    private func compare(_ a: FileObject, _ b: FileObject) -> Int {
        switch key {
        case .name: a.storage.withName { a in b.storage.withName { NaturalOrder.compare(a, $0) } }
        case .path: order(a.path, b.path)
        case .size: order(a.size ?? 0, b.size ?? 0)
        case .modifiedDate: order(a.modificationTime?.nanoseconds ?? .min, b.modificationTime?.nanoseconds ?? .min)
        case .creationDate: order(a.creationTime?.nanoseconds ?? .min, b.creationTime?.nanoseconds ?? .min)
        case .extension: order(a.itemName.pathExtension, b.itemName.pathExtension)
        }
    }

    private func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}
