import FileProviding
import Foundation
import GRDB

/// How an item lies in its table.
enum ItemRow {
    /// The columns that ``item(from:below:)`` reads, in its order.
    static let columns = """
        localID, parentID, name, nameBytes, type, fileID, etag, size, modified, created, contentType, owner, isReadOnly, \
        isHidden, width, height, childrenCount, isOnServer, copyID IS NOT NULL, isModified, newerVersion, \
        removedAt IS NOT NULL, items.revision
        """

    /// The columns of a server's version, and ``arguments(_:)`` for them.
    static let versionColumns = [
        "type", "fileID", "etag", "size", "modified", "created", "contentType", "owner", "isReadOnly", "isHidden",
        "width", "height",
    ]

    static func item(from row: Row, below parentPath: ItemPath) throws -> Item {
        var version = ServerVersion(type: FileObjectType(rawValue: row[4]) ?? .unknown, isHidden: row[13])
        version.fileID = row[5]
        version.etag = (row[6] as String?).map(ETag.init(rawValue:))
        version.size = row[7]
        version.modificationTime = (row[8] as Int64?).map(FileTime.init(nanoseconds:))
        version.creationTime = (row[9] as Int64?).map(FileTime.init(nanoseconds:))
        version.contentType = row[10]
        version.owner = row[11]
        version.isReadOnly = row[12]
        if let width: Int = row[14], let height: Int = row[15] {
            version.imageSize = PixelSize(width: width, height: height)
        }
        return Item(
            storage: Item.Storage(
                localID: LocalID(rawValue: row[0]), parentID: (row[1] as Int64?).map(LocalID.init(rawValue:)),
                parentPath: parentPath, name: name(text: row[2], bytes: row[3]), version: version,
                childrenCount: row[16], cloudStatus: status(isOnServer: row[17], hasCopy: row[18], isModified: row[19]),
                newerVersion: try decoded(row[20]), isRemoved: row[21], revision: row[22]))
    }

    static func arguments(_ version: ServerVersion) -> [(any DatabaseValueConvertible)?] {
        [
            version.type.rawValue, version.fileID, version.etag?.rawValue, version.size,
            version.modificationTime?.nanoseconds, version.creationTime?.nanoseconds, version.contentType,
            version.owner, version.isReadOnly, version.isHidden, version.imageSize?.width, version.imageSize?.height,
        ]
    }

    /// A name's text, and its bytes where the text does not tell them.
    static func columns(of name: ItemName) -> (text: String, bytes: Data) {
        let text = name.text
        return (text, text.utf8.elementsEqual(name.bytes) ? Data() : Data(name.bytes))
    }

    static func name(text: String, bytes: Data) -> ItemName {
        ItemName(unchecked: bytes.isEmpty ? Array(text.utf8) : Array(bytes))
    }

    private static func status(isOnServer: Bool, hasCopy: Bool, isModified: Bool) -> CloudStatus {
        if !isOnServer { return .localOnly }
        return isModified ? .locallyModified : hasCopy ? .localCopy : .cloudOnly
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
