import Foundation
import GRDB

/// A row as a program without this package would fetch it.
struct RawItem: FetchableRecord {
    var id: Int64
    var parent: Int64
    var name: String
    var type: String
    var fileID: String?
    var etag: String?
    var size: Int64?
    var modified: Int64?
    var children: Int?
    var revision: Int64

    init(row: Row) {
        id = row[0]
        parent = row[1]
        name = row[2]
        type = row[3]
        fileID = row[4]
        etag = row[5]
        size = row[6]
        modified = row[7]
        children = row[8]
        revision = row[9]
    }

    /// All rows of the directory with the most entries, in the order of their names.
    static func fetchLargestFolder(_ file: String) throws -> [RawItem] {
        try DatabasePool(path: file).read { database in
            let parent = try Int64.fetchOne(
                database,
                sql: "SELECT localID FROM items WHERE type = 'directory' ORDER BY childrenCount DESC LIMIT 1")
            return try RawItem.fetchAll(
                database,
                sql: """
                    SELECT localID, parentID, name, type, fileID, etag, size, modified, childrenCount, revision
                    FROM items WHERE parentID = ? AND removedAt IS NULL ORDER BY sortKey, name
                    """, arguments: [parent])
        }
    }
}
