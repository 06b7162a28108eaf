/// What told one version of a file from another when it was last looked at.
public struct FileVersion: Hashable, Sendable, Codable {
    /// The server's tag.
    public var etag: ETag?
    /// The size in bytes.
    public var size: Int64?
    /// The modification time.
    public var modificationTime: FileTime?

    /// A version known by these marks.
    public init(etag: ETag? = nil, size: Int64? = nil, modificationTime: FileTime? = nil) {
        self.etag = etag
        self.size = size
        self.modificationTime = modificationTime
    }

    /// Whether `file` is still this version: by tag where both have one, else by size and time as far as both know them.
    public func matches(_ file: FileObject) -> Bool { agrees(with: file.version) }

    /// Whether another look has seen this version: by tag where both have one, else by size and time as far as both know them.
    func agrees(with other: FileVersion) -> Bool {
        if let etag, let other = other.etag { return etag.opaque == other.opaque }
        if let size, let other = other.size, size != other { return false }
        if let modificationTime, let other = other.modificationTime, modificationTime != other { return false }
        return true
    }
}

extension FileObject {
    /// The marks of this version.
    public var version: FileVersion { FileVersion(etag: etag, size: size, modificationTime: modificationTime) }
}
