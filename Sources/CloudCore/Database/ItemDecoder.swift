import FileProviding

/// Creates items from the rows of one statement, whose columns are ``ItemRow/columns``.
struct ItemDecoder {
    private var contentTypes = RepeatedText()
    private var owners = RepeatedText()

    /// Returns the directory that the row's item is in.
    static func parentID(_ row: StatementRow) -> LocalID? { row.integerOrNil(1).map(LocalID.init(rawValue:)) }

    /// Returns the item of a row, whose directory is at `parentPath`.
    mutating func item(from row: StatementRow, in parentPath: ItemPath) throws -> Item {
        Item(
            storage: Item.Storage(
                localID: LocalID(rawValue: row.integer(0)), parentID: Self.parentID(row), parentPath: parentPath,
                name: row.name(2, exactly: 3), version: version(row),
                childrenCount: row.integerOrNil(16).map { Int($0) },
                cloudStatus: Self.status(row), newerVersion: try ItemRow.decoded(row.text(20)),
                shares: try ItemRow.decoded(row.text(23)), isDownloading: row.flag(24),
                downloadTrigger: row.text(25).flatMap(DownloadTrigger.init), isRemoved: row.flag(21),
                revision: row.integer(22)))
    }

    private mutating func version(_ row: StatementRow) -> ServerVersion {
        var version = ServerVersion(type: Self.type(row), isHidden: row.flag(13))
        version.fileID = row.text(5)
        version.etag = row.text(6).map(ETag.init(rawValue:))
        version.size = row.integerOrNil(7)
        version.modificationTime = row.integerOrNil(8).map(FileTime.init(nanoseconds:))
        version.creationTime = row.integerOrNil(9).map(FileTime.init(nanoseconds:))
        version.contentType = contentTypes.next(10, of: row)
        version.owner = owners.next(11, of: row)
        version.isReadOnly = row.isNull(12) ? nil : row.flag(12)
        if let width = row.integerOrNil(14), let height = row.integerOrNil(15) {
            version.imageSize = PixelSize(width: Int(width), height: Int(height))
        }
        return version
    }

    /// Returns the type, which is stored as its first letter.
    private static func type(_ row: StatementRow) -> FileObjectType {
        switch row.withText(4, { $0?.first }) {
        case UInt8(ascii: "r"): .regular
        case UInt8(ascii: "d"): .directory
        case UInt8(ascii: "s"): .symbolicLink
        default: .unknown
        }
    }

    private static func status(_ row: StatementRow) -> CloudStatus {
        let (isOnServer, hasCopy, isModified) = (row.flag(17), row.flag(18), row.flag(19))
        if !isOnServer { return .localOnly }
        return isModified ? .locallyModified : hasCopy ? .localCopy : .cloudOnly
    }
}
