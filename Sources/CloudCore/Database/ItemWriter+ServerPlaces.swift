import FileProviding
import Foundation
import GRDB

/// Where the server has items that are elsewhere locally: moved or removed by unfinished commands.
extension ItemWriter {
    /// Records where the server has an item now; `nil` that it does not have it.
    func setServerPlace(of id: LocalID, _ place: Place?) throws {
        guard let item = try reader.item(id) else { return }
        try setServerPlace(of: item, place)
    }

    /// Records where the server has an item now; `nil` that it does not have it.
    func setServerPlace(of item: Item, _ place: Place?) throws {
        if item.isDirectory { reader.forgetDirectories() }
        guard let place, item.isRemoved || item.place != place else {
            guard try reader.mayHaveElsewhere() else { return }
            return try execute("DELETE FROM serverPlaces WHERE itemID = ?", [item.localID.rawValue])
        }
        reader.noteElsewhere()
        try execute(
            "INSERT OR REPLACE INTO serverPlaces VALUES (?, ?, ?)",
            [item.localID.rawValue, place.parentID.rawValue, Data(place.name.bytes)])
    }

    /// Records where the server has an item before it is moved locally.
    func keepServerPlace(of id: LocalID) throws {
        guard let item = try reader.item(id), item.cloudStatus != .localOnly, let place = item.place else { return }
        if item.isDirectory { reader.forgetDirectories() }
        reader.noteElsewhere()
        try execute(
            "INSERT OR IGNORE INTO serverPlaces VALUES (?, ?, ?)",
            [id.rawValue, place.parentID.rawValue, Data(place.name.bytes)])
    }

    /// Forgets where the server has an item that was removed locally, when no command is about it any more: it is
    /// removed along with a directory, or a scan finds it.
    func forgetServerPlace(ofRemoved id: LocalID) throws {
        guard let item = try reader.item(id), item.isRemoved, let place = try reader.serverPlace(of: id),
            try reader.records(of: id).isEmpty, try !reader.isSource(id)
        else { return }
        try setServerPlace(of: item, nil)
        if try reader.removal(above: place.parentID) == nil { try scanVisible(above: place.parentID) }
    }

    /// Removes a locally removed item that the server has received in the meantime, unless the directory with which it
    /// was removed is to be removed on the server as well: if that directory was lost and created again to hold the
    /// item, somebody else may have created it too.
    func removeFromLost(_ id: LocalID) throws {
        guard let place = try reader.serverPlace(of: id), try reader.records(of: id).isEmpty,
            let remover = try reader.removal(above: place.parentID), try reader.serverPlace(of: remover) == nil
        else { return }
        try addRecord(EventID(), of: id, .delete(from: place))
        try scanVisible(above: place.parentID)
    }

    /// Adds a scan of the lowest directory, from this one upwards, that is not removed locally.
    private func scanVisible(above directory: LocalID) throws { try addJob(visible(above: directory), .scan) }

    /// Returns the nearest directory, starting with this one and going up, that is not removed here.
    func visible(above directory: LocalID) throws -> LocalID {
        var visible = directory
        while let item = try reader.item(visible), item.isRemoved, let parent = item.parentID { visible = parent }
        return visible
    }

    /// Records that a command has changed a place on the server: what a listing that began before says about it is
    /// outdated. A listing that begins now is requested after the command was done, and needs no such record.
    func markSettled(_ place: Place) throws {
        guard isListing else { return }
        hasSettledPlaces = true
        try execute(
            "INSERT OR REPLACE INTO settledPlaces VALUES (?, ?, ?)",
            [place.parentID.rawValue, Data(place.name.bytes), nextRevision()])
    }

    /// Deletes those records. Only valid while no listing is in progress: a later listing is requested after all
    /// recorded changes.
    func forgetSettledPlaces() throws { try execute("DELETE FROM settledPlaces", []) }
}

extension ItemReader {
    /// Returns where the server has an item, including tombstones that are still to be removed there; `nil` if it does
    /// not have it.
    func serverPlace(of id: LocalID) throws -> Place? {
        try firstRow(of: Self.serverPlaceByID, [id.rawValue]) { row in
            if let parent = row.integerOrNil(0) {
                return Place(ItemName(unchecked: row.blob(1)), in: LocalID(rawValue: parent))
            }
            return row.integerOrNil(2).map { Place(row.name(3, exactly: 4), in: LocalID(rawValue: $0)) }
        }
    }

    /// Returns where the server has an item that has just been read.
    func serverPlace(of item: Item) throws -> Place? {
        if try mayHaveElsewhere() { return try serverPlace(of: item.localID) }
        return item.isRemoved || item.cloudStatus == .localOnly ? nil : item.place
    }

    private static let serverPlaceByID = FrequentStatement(
        """
        SELECT serverPlaces.parentID, serverPlaces.name, items.parentID, items.name, nameBytes
        FROM items LEFT JOIN serverPlaces ON itemID = localID
        WHERE localID = ? AND (itemID IS NOT NULL OR (removedAt IS NULL AND isOnServer))
        """)

    /// Returns the directories that an item is in, locally and on the server, and those that its commands take it
    /// through.
    func parents(of id: LocalID) throws -> Set<LocalID> {
        var parents: Set<LocalID> = []
        func add(_ row: StatementRow) {
            for column: Int32 in 0...1 { row.integerOrNil(column).map { _ = parents.insert(LocalID(rawValue: $0)) } }
        }
        let isAtRest = try database.firstRow(
            of: """
                SELECT items.parentID, serverPlaces.parentID, isOnServer
                FROM items LEFT JOIN serverPlaces ON itemID = localID WHERE localID = ?
                """, [id.rawValue]
        ) { row in
            add(row)
            return row.isNull(1) && row.flag(2)
        }
        if isAtRest == false {
            try database.forEachRow(
                of: "SELECT oldParentID, newParentID FROM syncRecords WHERE itemID = ?", [id.rawValue], add)
        }
        return parents
    }

    /// Returns the item whose removal, not yet done on the server, removed this one locally: itself or a directory
    /// above.
    func removal(above id: LocalID) throws -> LocalID? {
        var next: LocalID? = id
        while let id = next, let item = try item(id), item.isRemoved {
            if try records(of: id).contains(where: { $0.kind == .delete }) { return id }
            next = item.parentID
        }
        return nil
    }

    /// Returns whether the server has the item at another place than the vault.
    func isElsewhere(_ id: LocalID) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM serverPlaces WHERE itemID = ?"), arguments: [id.rawValue])
            != nil
    }

    /// Returns the items that commands have moved into a directory, or to below it, while the server still has them
    /// outside of it.
    func arrivals(below directory: LocalID) throws -> [Item] {
        try items(
            """
            removedAt IS NULL AND localID <> ?1 AND localID IN (SELECT itemID FROM serverPlaces) AND localID IN (
                WITH RECURSIVE below(id) AS (
                    VALUES (?1) UNION ALL
                    SELECT localID FROM items JOIN below ON parentID = id WHERE removedAt IS NULL
                ) SELECT id FROM below
            )
            """, [directory.rawValue]
        ).filter { arrival in
            try serverPlace(of: arrival.localID).map { try !isInServer($0.parentID, within: directory) } ?? true
        }
    }

    /// Returns what the server has in an item, or below it, and the vault has elsewhere.
    func departed(from item: Item) throws -> [Item] {
        guard item.isDirectory else { return [] }
        return try items(
            """
            localID IN (SELECT itemID FROM serverPlaces WHERE parentID IN (
                WITH RECURSIVE below(id) AS (
                    VALUES (?) UNION ALL
                    SELECT localID FROM items JOIN below ON parentID = id
                    WHERE type = 'directory' AND localID NOT IN (SELECT itemID FROM serverPlaces)
                ) SELECT id FROM below
            ))
            """, [item.localID.rawValue])
    }

    /// Returns what was removed with a directory that it was to be moved into.
    func removedArrivals(in directory: Item) throws -> [Item] {
        try tombstonesWithRecords(in: directory).filter { item in
            try isElsewhere(item.localID) && records(of: item.localID).contains { $0.kind == .move }
        }
    }

    /// Returns what was removed from a directory, or with it, and still has commands.
    func tombstonesWithRecords(in directory: Item) throws -> [Item] {
        try items("removedAt IS NOT NULL AND localID IN (SELECT itemID FROM syncRecords)", [])
            .filter { try isBelow($0, directory.localID) }
    }

    private func isBelow(_ item: Item, _ directory: LocalID) throws -> Bool {
        var next = item.parentID
        while let id = next, id != directory { next = try self.item(id)?.parentID }
        return next != nil
    }

    /// Returns whether a directory is another one, or below it, on the server.
    func isInServer(_ id: LocalID, within directory: LocalID) throws -> Bool {
        var next: LocalID? = id
        while let parent = next, parent != directory, parent != .root { next = try serverPlace(of: parent)?.parentID }
        return next == directory
    }

    /// Returns the path that a directory has on the server; for one that is not there yet, the path that it will have.
    func serverPath(ofDirectory id: LocalID) throws -> ItemPath {
        try path(of: id, in: \.serverPaths) { try serverPlace(of: $0) ?? item($0)?.place }
    }

    /// Returns the path of a place on the server.
    func serverPath(of place: Place) throws -> ItemPath {
        try serverPath(ofDirectory: place.parentID).appending(place.name)
    }

    /// Returns the known entries of a directory on the server, by their names there.
    func serverEntries(of directory: LocalID) throws -> [ItemName: Item] {
        var entries: [ItemName: Item] = [:]
        for item in try items(
            "parentID = ? AND removedAt IS NULL AND localID NOT IN (SELECT itemID FROM serverPlaces)",
            [directory.rawValue])
        {
            entries[item.itemName] = item
        }
        try database.forEachRow(
            of: "SELECT itemID, name FROM serverPlaces WHERE parentID = ?", [directory.rawValue]
        ) { row in
            guard let item = try item(LocalID(rawValue: row.integer(0))) else { return }
            entries[ItemName(unchecked: row.blob(1))] = item
        }
        return entries
    }

    /// Returns the item that has left a place locally and is still there on the server.
    func departed(from place: Place) throws -> Item? {
        guard try mayHaveElsewhere() else { return nil }
        let id = try firstRow(of: Self.itemByServerPlace, [place.parentID.rawValue, Data(place.name.bytes)]) {
            LocalID(rawValue: $0.integer(0))
        }
        return try id.flatMap(item)
    }

    private static let itemByServerPlace = FrequentStatement(
        "SELECT itemID FROM serverPlaces WHERE parentID = ? AND name = ?")

    /// Returns the item that the server has at `path`, where it may be another one than in the vault.
    func item(atServerPath path: ItemPath) throws -> Item? {
        guard !path.isIdentifier else { return try item(at: path) }
        var found = try item(.root)
        for name in path.components {
            guard let directory = found?.localID else { return nil }
            let here = try item(named: name, in: directory).flatMap { try isElsewhere($0.localID) ? nil : $0 }
            found = try departed(from: Place(name, in: directory)) ?? here
        }
        return found
    }

    /// Returns whether a command has changed a place on the server since then.
    func isSettled(_ place: Place, since anchor: SyncAnchor) throws -> Bool {
        let revision = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT revision FROM settledPlaces WHERE parentID = ? AND name = ?"),
            arguments: [place.parentID.rawValue, Data(place.name.bytes)])
        return revision.map { $0 > anchor.count } ?? false
    }
}
