import FileProviding
import Foundation
import GRDB

/// Which contents of items the vault holds, and which of them the server has.
extension ItemWriter {
    /// Records that the vault holds a copy of the item's contents in this version of the server's; `nil` that it holds
    /// none.
    func setCopy(of id: LocalID, _ copy: LocalCopy?, version: FileVersion?) throws {
        try execute(
            """
            UPDATE items SET \(ItemRow.copyAssignments), copyID = ?, copyName = ?, usedAt = ?, isModified = 0,
            downloadTrigger = CASE WHEN ? OR isDownloading THEN downloadTrigger END, revision = ? WHERE localID = ?
            """,
            ItemRow.arguments(ofCopy: version) + [
                copy?.id, copy.map { Data($0.name.bytes) }, now.nanoseconds, copy != nil, nextRevision(), id.rawValue,
            ])
    }

    /// Records that an item's contents are being fetched, and why; or that they no longer are.
    func setDownloading(_ id: LocalID, _ isDownloading: Bool, for trigger: DownloadTrigger?) throws {
        try execute(
            "UPDATE items SET isDownloading = ?, downloadTrigger = ?, revision = ? WHERE localID = ?",
            [isDownloading, trigger?.rawValue, nextRevision(), id.rawValue])
    }

    /// Records that the vault holds contents that the server does not have: the item shows their size and time from now
    /// on.
    func setModified(
        _ id: LocalID, _ copy: LocalCopy, size: Int64, modificationTime: FileTime
    ) throws {
        guard let item = try reader.item(id) else { return }
        let base =
            try reader.copyVersion(of: id) ?? (item.cloudStatus == .localOnly ? nil : reader.serverContents(of: item))
        try execute(
            """
            UPDATE items SET \(ItemRow.copyAssignments), isModified = 1, copyID = ?, copyName = ?, downloadTrigger = NULL,
            size = ?, modified = ?, revision = ? WHERE localID = ?
            """,
            ItemRow.arguments(ofCopy: base) + [
                copy.id, Data(copy.name.bytes), size, modificationTime.nanoseconds, nextRevision(), id.rawValue,
            ])
    }

    /// Records the version of the server's that the copy now differs from.
    func setBase(of id: LocalID, _ version: FileVersion) throws {
        try execute(
            "UPDATE items SET \(ItemRow.copyAssignments), revision = ? WHERE localID = ?",
            ItemRow.arguments(ofCopy: version) + [nextRevision(), id.rawValue])
    }

    /// Bases a changed item on the version that the server has, so that sending it replaces exactly that one.
    func adopt(_ item: Item, _ version: ServerVersion) throws {
        try execute(
            """
            UPDATE items SET \(ItemRow.copyAssignments), fileID = ?, etag = ?, newerVersion = NULL, revision = ?
            WHERE localID = ?
            """,
            ItemRow.arguments(ofCopy: version.contents) + [
                version.fileID, version.etag?.rawValue, nextRevision(), item.localID.rawValue,
            ])
    }

    /// Records that contents known in one version have another version on the server now: a copy of the former version
    /// is still a copy of these contents.
    func rebase(_ item: Item, from known: FileVersion, to version: FileVersion) throws {
        guard let base = try reader.copyVersion(of: item.localID),
            item.cloudStatus == .locallyModified || base.isSameVersion(as: known)
        else { return }
        try setBase(of: item.localID, version)
    }

    /// Records that the server has the item in this version, whatever it had before.
    ///
    /// - Parameter keepingEdit: whether the item continues to show the size and time of local contents.
    func setOnServer(_ item: Item, _ version: ServerVersion, keepingEdit: Bool) throws {
        var shown = try shown(version, of: item.localID)
        if keepingEdit { (shown.size, shown.modificationTime) = (item.size, item.modificationTime) }
        try execute(
            Self.versionUpdate,
            ItemRow.arguments(shown) + [item.childrenCount, nextRevision(), item.localID.rawValue])
    }

    /// Records that the server has what is local: the item in this version, and the contents of the copy in that one.
    ///
    /// - Returns: `false` if the item has another copy by now; nothing is recorded then.
    func setSent(_ item: Item, _ copy: LocalCopy, _ version: ServerVersion, contents: FileVersion) throws -> Bool {
        let shown = try shown(version, of: item.localID)
        try execute(
            Self.sentUpdate,
            ItemRow.arguments(shown) + [item.childrenCount, nextRevision()] + ItemRow.arguments(ofCopy: contents) + [
                now.nanoseconds, item.localID.rawValue, copy.id, Data(copy.name.bytes),
            ])
        return database.changesCount > 0
    }

    /// Drops the copies of items that are gone locally and, as far as commands are concerned, on the server, and
    /// returns them. A claimed copy stays until the claim ends, and an edit until the directory that it was removed
    /// with is gone on the server too.
    ///
    /// - Parameter only: the one item to check; by default all.
    func releaseCopiesOfRemoved(only: LocalID? = nil) throws -> [LocalCopy] {
        var copies: [(item: LocalID, copy: LocalCopy, isEdit: Bool)] = []
        try database.forEachRow(
            of: """
                SELECT localID, copyID, copyName, isModified FROM items INDEXED BY copiesOfRemoved
                WHERE copyID IS NOT NULL AND removedAt IS NOT NULL
                    AND localID NOT IN (SELECT itemID FROM serverPlaces)
                    AND localID NOT IN (SELECT itemID FROM syncRecords)
                    AND localID NOT IN (SELECT itemID FROM claims)
                    \(only == nil ? "" : "AND localID = ?")
                """, only.map { [$0.rawValue] } ?? []
        ) { row in
            guard let id = row.text(1) else { return }
            let copy = LocalCopy(id: id, name: ItemName(unchecked: row.blob(2)))
            copies.append((LocalID(rawValue: row.integer(0)), copy, row.flag(3)))
        }
        copies = try copies.filter { try !$0.isEdit || reader.removal(above: $0.item) == nil }
        // Should an item come back, it is as on the server. This is no change of an item that is gone.
        let statement = "UPDATE items SET \(ItemRow.copyAssignments), copyID = NULL, copyName = NULL, isModified = 0"
        for (item, _, _) in copies {
            try execute("\(statement) WHERE localID = ?", ItemRow.arguments(ofCopy: nil) + [item.rawValue])
        }
        return try copies.map(\.copy).filter { try !reader.isHeld($0) }
    }
}
