import FileProviding
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CloudCore

@Suite struct SQLConditionTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `the database and memory give the same answer to any query`(seed: UInt64) async throws {
        let scratch = try Scratch()
        let database = try CloudCore.Database(file: scratch.file("database.sqlite"))
        try await database.write { try $0.insertRandomItems(seed: seed) }
        var random = RandomQuery(seed: seed, texts: Item.texts)
        for number in 0..<150 {
            let query = random.query(depth: 3)
            let (found, expected) = try await database.read { reader in
                var found: Set<LocalID> = []
                try reader.forEachItem(in: .vault, where: query, sorted: nil) { found.insert($0.localID) }
                var all: [Item] = []
                try reader.forEachItem(in: .vault, where: .all, sorted: nil) { all.append($0) }
                return (found, Set(all.filter { query.matches($0) }.map(\.localID)))
            }
            #expect(found == expected, "seed \(seed), number \(number): \(query)")
        }
    }

    @Test(
        "names with wildcards are no patterns",
        arguments: ["100%", "a_b", "a\\b", "a*b", "a?b", "[ab]", "a'b", "a\"b"])
    func literalNames(name: String) async throws {
        let scratch = try Scratch()
        let database = try CloudCore.Database(file: scratch.file("database.sqlite"))
        let names = try ["100%", "1000", "a_b", "axb", "a\\b", "a*b", "a?b", "[ab]", "a", "a'b", "a\"b"].map {
            try ItemName(validating: $0)
        }
        try await database.write { writer in
            for name in names { try writer.insert(name, in: .root, .file(), isOnServer: true) }
        }
        for query: FileQuery in [.name == name, .name.contains(name), .name.beginsWith(name, .caseInsensitive)] {
            let found = try await database.read { reader in
                var found: [String] = []
                try reader.forEachItem(in: .vault, where: query, sorted: nil) { found.append($0.name) }
                return found
            }
            #expect(found == [name], "\(query)")
        }
    }

    @Test func `search by name uses an index`() async throws {
        let scratch = try Scratch()
        let database = try CloudCore.Database(file: scratch.file("database.sqlite"))
        let queries: [(FileQuery, String)] = [
            (.name.equals("Foo", .caseInsensitive), "USING INDEX itemsByFoldedName"),
            (.name.beginsWith("Foo", .caseInsensitive), "USING INDEX itemsByFoldedName"),
            (.name.contains("Foo", .caseInsensitive), "USING COVERING INDEX itemsByFoldedName"),
        ]
        for (query, index) in queries {
            let plan = try await database.read { try $0.plan(for: query) }
            #expect(plan.contains(index), "\(query): \(plan)")
        }
    }

    @Test func `a query that is too large for the database is answered all the same`() async throws {
        let scratch = try Scratch()
        let database = try CloudCore.Database(file: scratch.file("database.sqlite"))
        try await database.write { try $0.insertRandomItems(seed: 1) }
        var deep = FileQuery.name == "a"
        for _ in 0..<2_000 { deep = .not(deep) }
        let wide = FileQuery.or((0..<5_000).map { .fileSize == Int64($0 + 1_000_000) } + [.name == "a"])
        let nested = (1...98).reduce(FileQuery.name == "a") { query, number in
            number.isMultiple(of: 2)
                ? .and([.fileSize > -1, query]) : .or([.fileSize == Int64(number + 1_000_000), query])
        }
        let listed = FileQuery.name.isIn((0..<5_000).map { "other \($0)" } + ["a"])
        for query in [deep, wide, nested, listed] {
            let count = try await database.read { reader in
                var count = 0
                try reader.forEachItem(in: .vault, where: query, sorted: nil) { _ in count += 1 }
                return count
            }
            #expect(count > 0)
        }
    }

    @Test(arguments: FileObjectSorting.Key.allCases, [true, false])
    func `the database sorts as memory does`(key: FileObjectSorting.Key, ascending: Bool) async throws {
        let scratch = try Scratch()
        let database = try CloudCore.Database(file: scratch.file("database.sqlite"))
        try await database.write { try $0.insertRandomItems(seed: 3) }
        for directoriesFirst in [true, false] {
            let sorting = FileObjectSorting(key, ascending: ascending, directoriesFirst: directoriesFirst)
            let (items, isSorted) = try await database.read { reader in
                var items: [Item] = []
                let isSorted = try reader.forEachItem(in: .vault, where: .all, sorted: sorting) { items.append($0) }
                return (items, isSorted)
            }
            #expect(isSorted == ![.path, .extension].contains(key))
            if isSorted { #expect(items == items.sorted(by: QuerySorting.by(sorting).precedes)) }
        }
    }
}

extension ItemWriter {
    /// Some directories with items of awkward names and properties.
    func insertRandomItems(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folders = try [
            .root, insert("a", in: .root, .directory(), isOnServer: true),
            insert(ItemName(validating: [0xFF]), in: .root, .directory(), isOnServer: true),
        ]
        for number in 0..<60 {
            let text = Item.texts.randomElement(using: &generator)!
            let bytes = Array(text.utf8.filter { $0 != UInt8(ascii: "/") })
            let name = bytes.isEmpty ? Array("\(number)".utf8) : number % 9 == 0 ? bytes + [0xFE] : bytes
            var version = ServerVersion(type: FileObjectType.allCases.randomElement(using: &generator)!)
            if Bool.random(using: &generator) { version.size = [0, 1, -1, .max, 5].randomElement(using: &generator)! }
            if Bool.random(using: &generator) { version.etag = ETag(rawValue: "\"tag\"") }
            if Bool.random(using: &generator) { version.fileID = "a" }
            if Bool.random(using: &generator) {
                version.modificationTime = FileTime(
                    nanoseconds: Int64.random(
                        in: -2_000_000_000_000_000_000...2_000_000_000_000_000_000, using: &generator))
            }
            if Bool.random(using: &generator) { version.creationTime = FileTime(seconds: 978_307_200) }
            if Bool.random(using: &generator) { version.contentType = "img_1.jpg" }
            if Bool.random(using: &generator) { version.owner = Item.texts.randomElement(using: &generator)! }
            if Bool.random(using: &generator) { version.isReadOnly = Bool.random(using: &generator) }
            if Bool.random(using: &generator) { version.imageSize = PixelSize(width: 5, height: 1) }
            version.isHidden = Bool.random(using: &generator)
            try insert(
                ItemName(validating: name), in: folders.randomElement(using: &generator)!, version,
                childrenCount: Bool.random(using: &generator) ? 1 : nil, isOnServer: true)
        }
    }
}

extension ItemReader {
    /// How SQLite would look for the items of a query.
    fileprivate func plan(for query: FileQuery) throws -> String {
        let condition = try #require(SQLCondition(query))
        let rows = try Row.fetchAll(
            database, sql: "EXPLAIN QUERY PLAN SELECT * FROM items WHERE removedAt IS NULL AND \(condition.sql)",
            arguments: StatementArguments(condition.arguments))
        return rows.map { $0["detail"] as String }.joined(separator: "; ")
    }
}
