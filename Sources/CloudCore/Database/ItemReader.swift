import FileProviding
import Foundation
import GRDB

/// Looks at items within one transaction. Not for use outside of it.
package final class ItemReader {
    /// What was found out about directories in this transaction; many items are in each.
    struct Directories {
        var paths: [LocalID: ItemPath] = [.root: .root]
        var serverPaths: [LocalID: ItemPath] = [.root: .root]
        var parents: [LocalID: Set<LocalID>] = [:]
        var isOnServer: [LocalID: Bool] = [:]
    }

    let database: GRDB.Database
    private var directories = Directories()
    private var prepared: [ObjectIdentifier: Statement] = [:]

    init(_ database: GRDB.Database) { self.database = database }

    /// The item, tombstones included, or `nil` when there has never been one.
    package func item(_ id: LocalID) throws -> Item? {
        try firstRow(of: Self.itemByID, [id.rawValue]) { row in
            var decoder = ItemDecoder()
            let parent = ItemDecoder.parentID(row)
            return try decoder.item(from: row, in: parent.map(path(ofDirectory:)) ?? .root)
        }
    }

    private static let itemByID = FrequentStatement("SELECT \(ItemRow.columns) FROM items WHERE localID = ?")

    /// The item at `path`, or `nil`.
    package func item(at path: ItemPath) throws -> Item? {
        guard !path.isIdentifier else { return try item(fileID: path) }
        var found = try item(.root)
        for name in path.components {
            guard let directory = found else { return nil }
            found = try item(named: name, in: directory.localID)
        }
        return found
    }

    /// The entry of a directory that has exactly this name, or `nil`.
    package func item(named name: ItemName, in directory: LocalID) throws -> Item? {
        let (text, bytes) = ItemRow.columns(of: name)
        return try first(
            "parentID = ? AND removedAt IS NULL AND sortKey = ? AND name = ? AND nameBytes = ?",
            [directory.rawValue, NaturalSortKey.key(for: name), text, bytes])
    }

    /// The item that the server knows by this identifier; a tombstone where there is no other.
    package func item(fileID: String) throws -> Item? {
        try first("fileID = ? ORDER BY removedAt IS NOT NULL, removedAt DESC, localID DESC", [fileID])
    }

    private func item(fileID path: ItemPath) throws -> Item? {
        let text = String(decoding: path.bytes, as: UTF8.self)
        return text.hasPrefix("id:") ? try item(fileID: String(text.dropFirst(3))) : nil
    }

    /// The server's version that the copy here was made from, or `nil` where nothing is known of one.
    package func copyVersion(of id: LocalID) throws -> FileVersion? {
        try database.firstRow(
            of: "SELECT copyETag, copySize, copyModified FROM items WHERE localID = ?", [id.rawValue]
        ) { $0.fileVersion(0) }
    }

    /// The copy of the item's contents that the vault holds, or `nil`.
    package func copy(of id: LocalID) throws -> LocalCopy? {
        try database.firstRow(of: "SELECT copyID, copyName FROM items WHERE localID = ?", [id.rawValue]) { row in
            row.text(0).map { LocalCopy(id: $0, name: ItemName(unchecked: row.blob(1))) }
        }
    }

    /// The items with unsent changes among one and everything below it.
    package func unsentItems(below id: LocalID) throws -> [Item] {
        try items(
            """
            localID IN (
                WITH RECURSIVE below(id) AS (
                    VALUES (?) UNION ALL
                    SELECT localID FROM items JOIN below ON parentID = id WHERE removedAt IS NULL
                ) SELECT id FROM below
            ) AND (isModified OR NOT isOnServer)
            """, [id.rawValue])
    }

    /// A directory's entries in natural order.
    package func children(of directory: LocalID) throws -> [Item] {
        try items(
            "parentID = ? AND removedAt IS NULL ORDER BY sortKey, name, nameBytes, localID", [directory.rawValue])
    }

    /// What has changed behind `anchor`, tombstones included, in the order of the changes; `nil` when the vault no longer
    /// remembers, so that the caller has to start over.
    package func items(since anchor: SyncAnchor) throws -> [Item]? {
        guard try remembers(anchor) else { return nil }
        return try items("items.revision > ? ORDER BY items.revision, localID", [anchor.count])
    }

    /// Whether everything that happened behind `anchor` is still known.
    package func remembers(_ anchor: SyncAnchor) throws -> Bool {
        if anchor == .beginning { return true }
        let now = try self.anchor()
        return try anchor.generation == now.generation && anchor.count <= now.count
            && anchor.count >= counter("forgotten")
    }

    /// The point of history that this transaction sees.
    package func anchor() throws -> SyncAnchor {
        try SyncAnchor(generation: counter("generation"), count: counter("revision"))
    }

    /// The path of a directory.
    package func path(ofDirectory id: LocalID) throws -> ItemPath {
        try path(of: id, in: \.paths) { id in
            try database.firstRow(
                of: "SELECT parentID, name, nameBytes FROM items WHERE localID = ?", [id.rawValue]
            ) { row in
                row.integerOrNil(0).map { Place(row.name(1, exactly: 2), in: LocalID(rawValue: $0)) }
            }
        }
    }

    /// The path that leads to a directory by the places of those above it, found out once in this transaction.
    ///
    /// - Throws: `.fileReadNoSuchFile` where no path does.
    func path(
        of id: LocalID, in known: WritableKeyPath<Directories, [LocalID: ItemPath]>,
        by place: (LocalID) throws -> Place?
    ) throws -> ItemPath {
        var steps: [(directory: LocalID, name: ItemName)] = []
        var next = id
        while directories[keyPath: known][next] == nil {
            guard let place = try place(next), !steps.contains(where: { $0.directory == next }) else {
                throw FileError.noSuchFile("item \(id)")
            }
            steps.append((next, place.name))
            next = place.parentID
        }
        var path = directories[keyPath: known][next] ?? .root
        for (directory, name) in steps.reversed() {
            path = path.appending(name)
            directories[keyPath: known][directory] = path
        }
        return path
    }

    /// Finds something out about a directory, once in this transaction.
    func remembering<Value>(
        _ id: LocalID, in known: WritableKeyPath<Directories, [LocalID: Value]>, _ find: () throws -> Value
    ) rethrows -> Value {
        if let value = directories[keyPath: known][id] { return value }
        let value = try find()
        directories[keyPath: known][id] = value
        return value
    }

    /// Forgets what it has found out about directories: one has moved or gone, here or on the server.
    func forgetDirectories() { directories = Directories() }

    func counter(_ name: String) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM counters WHERE name = ?"), arguments: [name]) ?? 0
    }

    // MARK: Rows

    /// Hands over the rows of a statement that is used for every item.
    func forEachRow(
        of statement: FrequentStatement, _ arguments: SQLArguments, _ take: (StatementRow) throws -> Void
    ) throws {
        let id = ObjectIdentifier(statement)
        let found = try prepared[id] ?? database.cachedStatement(sql: statement.sql)
        prepared[id] = found
        try database.forEachRow(of: found, arguments, take)
    }

    /// What is made of the first row of such a statement, or `nil` where it has none.
    func firstRow<Result>(
        of statement: FrequentStatement, _ arguments: SQLArguments, _ make: (StatementRow) throws -> Result?
    ) throws -> Result? {
        var result: Result?
        try forEachRow(of: statement, arguments) { if result == nil { result = try make($0) } }
        return result
    }

    /// The items that a condition holds for, in its order.
    func items(_ condition: String, _ arguments: SQLArguments) throws -> [Item] {
        var items: [Item] = []
        try forEachItem(condition, arguments) { items.append($0) }
        return items
    }

    /// Hands over one item after the other, as they come from the file.
    func forEachItem(_ condition: String, _ arguments: SQLArguments, _ take: (Item) throws -> Void) throws {
        var decoder = ItemDecoder()
        var directory: LocalID?
        var directoryPath = ItemPath.root
        try database.forEachRow(of: "SELECT \(ItemRow.columns) FROM items WHERE \(condition)", arguments) { row in
            let parent = ItemDecoder.parentID(row)
            if let parent, parent != directory {
                directoryPath = try path(ofDirectory: parent)
                directory = parent
            }
            try take(decoder.item(from: row, in: parent == nil ? .root : directoryPath))
        }
    }

    private func first(_ condition: String, _ arguments: SQLArguments) throws -> Item? {
        try items(condition + " LIMIT 1", arguments).first
    }
}
