/// A typed key for a property that only some providers know, such as a gallery image's width.
public struct FileAttributeKey<Value: Sendable>: Hashable, Sendable {
    /// The key's name, unique within the provider's kind: `gallery.width`.
    public let name: String

    /// Creates a key with this name.
    public init(_ name: String) { self.name = name }
}

extension FileAttributeKey where Value == Int64 {
    /// The total size in bytes of the files in a directory that was just copied with everything below it.
    package static let copiedBytes = FileAttributeKey("copied.bytes")
}

extension FileAttributeKey where Value == FileTime {
    /// The storage's own time, in whole seconds, when it received the request that wrote the file or replied to it.
    package static let writtenBy = FileAttributeKey("written.by")
}
