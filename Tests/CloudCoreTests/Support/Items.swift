import CloudCore
import FileProviding

extension ServerVersion {
    static func file(_ size: Int64 = 1, etag: String? = nil, fileID: String? = nil) -> ServerVersion {
        var version = ServerVersion(type: .regular)
        version.size = size
        version.etag = etag.map(ETag.init(rawValue:))
        version.fileID = fileID
        return version
    }

    static func directory(fileID: String? = nil) -> ServerVersion {
        var version = ServerVersion(type: .directory)
        version.fileID = fileID
        return version
    }
}

extension ItemName: ExpressibleByStringLiteral {
    /// A name written in a test.
    public init(stringLiteral text: String) {
        self = ItemPath(stringLiteral: "/" + text).lastComponent!
    }
}
