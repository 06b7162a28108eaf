import FileProviding

/// The contents that directories had when they were removed locally.
extension ItemReader {
    /// Returns everything that the server is known to have below a directory that is to be removed from it.
    func knownContents(ofRemoved directory: LocalID) throws -> ConnectionOperation.KnownContents? {
        guard let (removedAt, isSeen) = try removal(of: directory) else { return nil }
        var contents = ConnectionOperation.KnownContents(removedAt: FileTime(nanoseconds: removedAt))
        guard isSeen else {
            contents.unseen = [.root]
            return contents
        }
        var next = [(id: directory, path: ItemPath.root)]
        while let (id, path) = next.popLast() {
            for row in try tombstones(in: id, since: removedAt) {
                let place = path.appending(try serverPlace(of: row.id)?.name ?? row.name)
                contents.entries[place] = .init(
                    type: row.type, version: row.type == .directory ? FileVersion() : row.version)
                guard row.type == .directory else { continue }
                if row.isSeenInside { next.append((row.id, place)) } else { contents.unseen.insert(place) }
            }
        }
        return contents
    }

    private func removal(of directory: LocalID) throws -> (at: Int64, isSeenInside: Bool)? {
        try database.firstRow(
            of: "SELECT removedAt, isSeenInside FROM items WHERE localID = ? AND removedAt IS NOT NULL",
            [directory.rawValue]
        ) { ($0.integer(0), $0.flag(1)) }
    }

    /// Returns the tombstones of a directory's members that were removed by the same command as the directory. What was
    /// to be copied on the server, and has neither contents nor a command any more, is not among them: nothing can make
    /// it.
    func removedMembers(of directory: LocalID) throws -> [Item] {
        guard let (removedAt, _) = try removal(of: directory) else { return [] }
        return try items("parentID = ? AND removedAt = ?", [directory.rawValue, removedAt]).filter { member in
            let records = try records(of: member.localID)
            guard member.cloudStatus == .localOnly, !member.isDirectory, records.isEmpty else {
                return !records.contains { $0.kind == .delete }
            }
            return try copy(of: member.localID) != nil
        }
    }

    private struct Tombstone {
        var id: LocalID
        var name: ItemName
        var type: FileObjectType
        var version: FileVersion
        var isSeenInside: Bool
    }

    /// Returns what was removed together with a directory, or earlier and not on the server yet.
    private func tombstones(in directory: LocalID, since time: Int64) throws -> [Tombstone] {
        var found: [Tombstone] = []
        try database.forEachRow(
            of: """
                SELECT localID, name, nameBytes, type, etag, size, modified, copyETag, copySize, copyModified, isModified,
                    isSeenInside
                FROM items WHERE parentID = ?1 AND removedAt IS NOT NULL
                    AND (removedAt >= ?2 OR localID IN (SELECT itemID FROM serverPlaces))
                """, [directory.rawValue, time]
        ) { row in
            let base = row.flag(10) ? row.fileVersion(7) : nil
            found.append(
                Tombstone(
                    id: LocalID(rawValue: row.integer(0)), name: row.name(1, exactly: 2),
                    type: row.text(3).flatMap(FileObjectType.init) ?? .unknown,
                    version: base ?? row.fileVersion(4) ?? FileVersion(), isSeenInside: row.flag(11)))
        }
        return found
    }
}
