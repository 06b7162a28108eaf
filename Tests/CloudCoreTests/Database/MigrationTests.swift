import FileProviding
import Foundation
import GRDB
import Testing

@testable import CloudCore

@Suite struct MigrationTests {
    @Test("items survive every later migration", arguments: Migrations.all.migrations)
    func everyVersion(migration: String) async throws {
        let scratch = try Scratch()
        let file = scratch.file("database.sqlite")
        let old = try CloudCore.Database(file: file, upTo: migration)
        let hasFirstColumnsOnly = ["1 items", "2 listings"].contains(migration)
        let id = try await old.write { writer in
            let name: ItemName = "Résumé 10.txt"
            return hasFirstColumnsOnly
                ? try writer.insertWithFirstColumns(name)
                : try writer.insert(name, in: .root, .file(7), isOnServer: true)
        }
        let generation = try await old.read { try $0.anchor().generation }
        try old.close()

        let new = try CloudCore.Database(file: file)
        let item = try await new.read { try $0.item(at: "/Résumé 10.txt") }
        #expect(item?.localID == id)
        #expect(item?.size == 7)
        let found = try await new.read { reader in
            var found: [LocalID] = []
            let query = FileQuery.name.contains("RÉSUMÉ", .caseInsensitive)
            try reader.forEachItem(in: .vault, where: query, sorted: nil) { found.append($0.localID) }
            return found
        }
        #expect(found == [id])
        #expect(try await new.read { try $0.anchor().generation } == generation)
    }

    @Test func `the directories to be listed again are found without reading all items`() async throws {
        let scratch = try Scratch()
        let database = try CloudCore.Database(file: scratch.file("database.sqlite"))
        let plan = try await database.read { reader in
            try Row.fetchAll(
                reader.database, sql: "EXPLAIN QUERY PLAN \(ItemWriter.oldestListings)", arguments: [1, 2, 3]
            ).map { $0["detail"] as String }.joined(separator: "; ")
        }
        #expect(plan.contains("items USING INDEX directories"), "\(plan)")
    }

    @Test func `policies survive the migration that gives them values`() async throws {
        let scratch = try Scratch()
        let file = scratch.file("database.sqlite")
        let old = try CloudCore.Database(file: file, upTo: "16 copies that claims hold")
        let id = UUID()
        try await old.write {
            try $0.execute("INSERT INTO policies VALUES (?, 'availableOffline', 7)", [id.uuidString])
        }
        try old.close()
        let new = try CloudCore.Database(file: file)
        let kept = ItemPolicy(id: id, rule: .availableOffline, itemID: LocalID(rawValue: 7))
        let others: [ItemPolicy.Rule] = [
            .expiration(.seconds(90.5)), .expiration(nil), .versionUpdates(false), .versionUpdates(true),
        ]
        let added = others.map { ItemPolicy(id: UUID(), rule: $0, itemID: LocalID(rawValue: 8)) }
        try await new.write { writer in for policy in added { try writer.add(policy) } }
        #expect(try await new.read { try $0.policies() } == [kept] + added)
    }

    @Test func `commands and the versions of copies survive the migration that takes them apart`() async throws {
        let scratch = try Scratch()
        let file = scratch.file("database.sqlite")
        let (odd, copy) = (ItemName(unchecked: [0xFF, 0x20]), LocalCopy(id: "copy", name: "a"))
        let place = Place(odd, in: .root)
        let version = FileVersion(etag: ETag(rawValue: "\"1\""), size: 7, modificationTime: FileTime(nanoseconds: 5))
        let actions: [SyncAction] = [
            .createFolder(place), .upload(copy, to: place), .upload(copy, to: nil), .download,
            .move(from: place, to: Place("b", in: LocalID(rawValue: 3))), .copy(LocalID(rawValue: 3), to: place),
            .update(ItemAttributes(permissions: 0o600), of: version, before: FileTime(nanoseconds: 9)),
            .delete(from: place),
        ]
        let old = try CloudCore.Database(file: file, upTo: "8 forgiven attempts")
        let id = try await old.write { writer in
            let id = try writer.insert("a", in: .root, .file(7), isOnServer: true)
            try writer.execute(
                "UPDATE items SET copyVersion = ? WHERE localID = ?", [ItemRow.encoded(version), id.rawValue])
            for action in actions {
                try writer.execute(
                    """
                    INSERT INTO syncRecords (id, itemID, action, phase, waits, attempts, isDoubtful, queuedAt)
                    VALUES (?, ?, ?, 'ready', '[]', 0, 0, 0)
                    """, ["\(UUID())", id.rawValue, ItemRow.encoded(action)])
            }
            return id
        }
        try old.close()
        let new = try CloudCore.Database(file: file)
        #expect(try await new.read { try $0.copyVersion(of: id) } == version)
        #expect(try await new.read { try $0.records(of: id).map(\.action) } == actions)
    }

    @Test func `what that migration cannot read costs a command or a version, not the vault`() async throws {
        let scratch = try Scratch()
        let file = scratch.file("database.sqlite")
        let old = try CloudCore.Database(file: file, upTo: "8 forgiven attempts")
        let id = try await old.write { writer in
            let id = try writer.insert("a", in: .root, .directory(), isOnServer: false)
            try writer.execute("UPDATE items SET copyVersion = '{' WHERE localID = ?", [id.rawValue])
            try writer.execute(
                """
                INSERT INTO syncRecords (id, itemID, action, phase, waits, attempts, isDoubtful, queuedAt)
                VALUES ('odd', ?, '{\"another\": 1}', 'ready', '[]', 0, 0, 0)
                """, [id.rawValue])
            return id
        }
        try old.close()
        let new = try CloudCore.Database(file: file)
        #expect(try await new.read { try $0.copyVersion(of: id) } == nil)
        #expect(try await new.read { try $0.records(of: id) }.isEmpty)
        try await new.write { try $0.resetInterruptedRecords() }
        #expect(try await new.read { try $0.records(of: id).map(\.action) } == [.createFolder(Place("a", in: .root))])
    }

    @Test func `a database of a later program is refused and left as it is`() async throws {
        let scratch = try Scratch()
        let file = scratch.file("database.sqlite")
        try CloudCore.Database(file: file).close()
        let queue = try DatabaseQueue(path: file.description)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9999 from the future')") }
        try queue.close()
        #expect(throws: CocoaError.self) { try CloudCore.Database(file: file) }
        #expect(scratch.exists(file))
    }
}

extension ItemWriter {
    /// Adds a file with the columns that the first version had.
    fileprivate func insertWithFirstColumns(_ name: ItemName) throws -> LocalID {
        let key = NaturalSortKey.key(for: name)
        try execute(
            """
            INSERT INTO items (parentID, name, nameBytes, sortKey, type, size, isHidden, isOnServer, revision)
            VALUES (1, ?, x'', ?, 'regular', 7, 0, 1, ?)
            """, [name.text, key, nextRevision()])
        return LocalID(rawValue: database.lastInsertedRowID)
    }
}
