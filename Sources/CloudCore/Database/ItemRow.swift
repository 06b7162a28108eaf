import FileProviding
import Foundation
import GRDB

/// The form of an item in its table.
enum ItemRow {
    /// The columns that ``ItemDecoder`` reads, in order.
    static let columns = """
        localID, parentID, name, nameBytes, type, fileID, etag, size, modified, created, contentType, owner, isReadOnly, \
        isHidden, width, height, childrenCount, isOnServer, copyID IS NOT NULL, isModified, newerVersion, \
        removedAt IS NOT NULL, items.revision, shares, isDownloading, downloadTrigger
        """

    /// The columns of a server's version, for use with ``arguments(_:)``.
    static let versionColumns = [
        "type", "fileID", "etag", "size", "modified", "created", "contentType", "owner", "isReadOnly", "isHidden",
        "width", "height",
    ]

    static func arguments(_ version: ServerVersion) -> SQLArguments {
        [
            version.type.rawValue, version.fileID, version.etag?.rawValue, version.size,
            version.modificationTime?.nanoseconds, version.creationTime?.nanoseconds, version.contentType,
            version.owner, version.isReadOnly, version.isHidden, version.imageSize?.width, version.imageSize?.height,
        ]
    }

    /// The assignments that set the version of an item's copy, for use with ``arguments(ofCopy:)``.
    static let copyAssignments = "copyETag = ?, copySize = ?, copyModified = ?"

    static func arguments(ofCopy version: FileVersion?) -> SQLArguments {
        [version?.etag?.rawValue, version?.size, version?.modificationTime?.nanoseconds]
    }

    /// Returns a name's text, and its bytes if the text does not determine them.
    static func columns(of name: ItemName) -> (text: String, bytes: Data) {
        let text = name.text
        return (text, text.utf8.elementsEqual(name.bytes) ? Data() : Data(name.bytes))
    }

    static func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func decoded<Value: Decodable>(_ text: String?) throws -> Value? {
        try text.map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }

    static func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
