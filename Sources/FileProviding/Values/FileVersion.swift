/// The properties that distinguished one version of a file from another when it was last looked at.
public struct FileVersion: Hashable, Sendable, Codable {
    /// The server's tag.
    public var etag: ETag?
    /// The size in bytes.
    public var size: Int64?
    /// The modification time.
    public var modificationTime: FileTime?

    /// Creates a version from these properties.
    public init(etag: ETag? = nil, size: Int64? = nil, modificationTime: FileTime? = nil) {
        self.etag = etag
        self.size = size
        self.modificationTime = modificationTime
    }

    /// Returns whether `file` is still this version: by tag where both have one, otherwise by size and time as far as
    /// both know them.
    public func matches(_ file: FileObject) -> Bool { agrees(with: file.version) }

    /// Returns whether both describe the same version: by tag where both have one, otherwise by size and time as far as
    /// both know them.
    func agrees(with other: FileVersion) -> Bool {
        if let etag, let other = other.etag { return etag.opaque == other.opaque }
        if let size, let other = other.size, size != other { return false }
        if let modificationTime, let other = other.modificationTime, modificationTime != other { return false }
        return true
    }
}

extension FileObject {
    /// The properties that identify the item's version.
    public var version: FileVersion { FileVersion(etag: etag, size: size, modificationTime: modificationTime) }
}
