import FileProviding
import Foundation
import GRDB

/// Reads items within one transaction. Not for use outside of it.
package final class ItemReader {
    /// What was found out about directories in this transaction; each holds many items.
    struct Directories {
        var paths: [LocalID: ItemPath] = [.root: .root]
        var serverPaths: [LocalID: ItemPath] = [.root: .root]
        var parents: [LocalID: Set<LocalID>] = [:]
        var isOnServer: [LocalID: Bool] = [:]
    }

    let database: GRDB.Database
    private var directories = Directories()
    /// Whether the server may have items elsewhere than the vault; `nil` until somebody asks.
    private var hasElsewhere: Bool?
    private var prepared: [ObjectIdentifier: Statement] = [:]

    init(_ database: GRDB.Database) { self.database = database }

    /// Returns the item, tombstones included, or `nil` when there has never been one.
    package func item(_ id: LocalID) throws -> Item? {
        try firstRow(of: Self.itemByID, [id.rawValue]) { row in
            var decoder = ItemDecoder()
            let parent = ItemDecoder.parentID(row)
            return try decoder.item(from: row, in: parent.map(path(ofDirectory:)) ?? .root)
        }
    }

    private static let itemByID = FrequentStatement("SELECT \(ItemRow.columns) FROM items WHERE localID = ?")

    /// Returns the item at `path`, or `nil`.
    package func item(at path: ItemPath) throws -> Item? {
        guard !path.isIdentifier else { return try item(fileID: path) }
        var found = try item(.root)
        for name in path.components {
            guard let directory = found else { return nil }
            found = try item(named: name, in: directory.localID)
        }
        return found
    }

    /// Returns the entry of a directory that has exactly this name, or `nil`.
    package func item(named name: ItemName, in directory: LocalID) throws -> Item? {
        let (text, bytes) = ItemRow.columns(of: name)
        return try first(
            "parentID = ? AND removedAt IS NULL AND sortKey = ? AND name = ? AND nameBytes = ?",
            [directory.rawValue, NaturalSortKey.key(for: name), text, bytes])
    }

    /// Returns the item with this identifier on the server; a tombstone if there is no other.
    package func item(fileID: String) throws -> Item? {
        try first("fileID = ? ORDER BY removedAt IS NOT NULL, removedAt DESC, localID DESC", [fileID])
    }

    private func item(fileID path: ItemPath) throws -> Item? {
        let text = String(decoding: path.bytes, as: UTF8.self)
        return text.hasPrefix("id:") ? try item(fileID: String(text.dropFirst(3))) : nil
    }

    /// Returns the server's version that the local copy was made from, or `nil` if it is not known.
    func copyVersion(of id: LocalID) throws -> FileVersion? {
        try database.firstRow(
            of: "SELECT copyETag, copySize, copyModified FROM items WHERE localID = ?", [id.rawValue]
        ) { $0.fileVersion(0) }
    }

    /// Returns the vault's copy of the item's contents, or `nil`.
    package func copy(of id: LocalID) throws -> LocalCopy? {
        try database.firstRow(of: "SELECT copyID, copyName FROM items WHERE localID = ?", [id.rawValue]) { row in
            row.text(0).map { LocalCopy(id: $0, name: ItemName(unchecked: row.blob(1))) }
        }
    }

    /// Returns the items with unsent changes among an item and everything below it.
    func unsentItems(below id: LocalID) throws -> [Item] {
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

    /// Returns a directory's entries in natural order.
    package func children(of directory: LocalID) throws -> [Item] {
        try items(
            "parentID = ? AND removedAt IS NULL ORDER BY sortKey, name, nameBytes, localID", [directory.rawValue])
    }

    /// Returns what has changed after `anchor`, tombstones included, in the order of the changes; `nil` when the vault
    /// no longer remembers, so that the caller has to start over.
    package func items(since anchor: SyncAnchor) throws -> [Item]? {
        guard try remembers(anchor) else { return nil }
        return try items("items.revision > ? ORDER BY items.revision, localID", [anchor.count])
    }

    /// Returns whether everything that happened after `anchor` is still known.
    package func remembers(_ anchor: SyncAnchor) throws -> Bool {
        if anchor == .beginning { return true }
        let now = try self.anchor()
        return try anchor.generation == now.generation && anchor.count <= now.count
            && anchor.count >= counter("forgotten")
    }

    /// Returns the point of history that this transaction sees.
    package func anchor() throws -> SyncAnchor {
        try SyncAnchor(generation: counter("generation"), count: counter("revision"))
    }

    /// Returns the path of a directory.
    package func path(ofDirectory id: LocalID) throws -> ItemPath {
        try path(of: id, in: \.paths) { id in
            try database.firstRow(
                of: "SELECT parentID, name, nameBytes FROM items WHERE localID = ?", [id.rawValue]
            ) { row in
                row.integerOrNil(0).map { Place(row.name(1, exactly: 2), in: LocalID(rawValue: $0)) }
            }
        }
    }

    /// Returns the path that leads to a directory through the places of those above it, determined once in this
    /// transaction.
    ///
    /// - Throws: `.fileReadNoSuchFile` when no path leads to it.
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

    /// Determines something about a directory, once in this transaction.
    func remembering<Value>(
        _ id: LocalID, in known: WritableKeyPath<Directories, [LocalID: Value]>, _ find: () throws -> Value
    ) rethrows -> Value {
        if let value = directories[keyPath: known][id] { return value }
        let value = try find()
        directories[keyPath: known][id] = value
        return value
    }

    /// Discards what was found out about directories, because one has moved or was removed, locally or on the server.
    func forgetDirectories() { directories = Directories() }

    /// Returns whether the server may have items elsewhere than the vault, determined once in this transaction: mostly
    /// it has none, and need not be asked about each item.
    func mayHaveElsewhere() throws -> Bool {
        if let hasElsewhere { return hasElsewhere }
        let found = try database.firstRow(of: "SELECT 1 FROM serverPlaces", []) { _ in true } ?? false
        hasElsewhere = found
        return found
    }

    /// Records that the server has an item elsewhere than the vault from now on.
    func noteElsewhere() { hasElsewhere = true }

    func counter(_ name: String) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM counters WHERE name = ?"), arguments: [name]) ?? 0
    }

    // MARK: Rows

    /// Passes the rows of a statement that is used for every item to a closure.
    func forEachRow(
        of statement: FrequentStatement, _ arguments: SQLArguments, _ take: (StatementRow) throws -> Void
    ) throws {
        let id = ObjectIdentifier(statement)
        let found = try prepared[id] ?? database.cachedStatement(sql: statement.sql)
        prepared[id] = found
        try database.forEachRow(of: found, arguments, take)
    }

    /// Returns what `make` makes of the first row of such a statement, or `nil` if it has none.
    func firstRow<Result>(
        of statement: FrequentStatement, _ arguments: SQLArguments, _ make: (StatementRow) throws -> Result?
    ) throws -> Result? {
        var result: Result?
        try forEachRow(of: statement, arguments) { if result == nil { result = try make($0) } }
        return result
    }

    /// Returns the items that match a condition, in its order.
    func items(_ condition: String, _ arguments: SQLArguments) throws -> [Item] {
        var items: [Item] = []
        try forEachItem(condition, arguments) { items.append($0) }
        return items
    }

    /// Passes one item after another to a closure, as they are read from the file.
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
