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

extension Item {
    /// Texts that items have in their fields.
    static let texts = [
        "", "a", "A", "é", "e\u{301}", "IMG_0001.JPG", "img_1.jpg", "100%", "a_b", "a\\b", "Straße", "STRASSE",
        "regular", "directory", "/a", "/a/IMG_0001.JPG", "\"tag\"", "ana",
    ]
}
