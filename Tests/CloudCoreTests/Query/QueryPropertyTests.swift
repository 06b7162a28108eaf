import FileProviding
import Foundation
import TestSupport
import Testing

@testable import CloudCore

@Suite struct QueryPropertyTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `replaying change sets always equals the results, and those a fresh look`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let server = try Server()
        let database = server.core.vault.database
        let names = try (0..<12).map { try ItemName(validating: "Item \($0).\($0 % 2 == 0 ? "jpg" : "txt")") }
        var queries: [(query: Query, rows: [Item])] = []
        let targets: [(QueryTarget, FileQuery)] = [
            (.location("/"), .all), (.custom, .name.like("*.JPG", .caseInsensitive)),
            (.custom, .path.contains("/Item 1") && .fileSize > 3), (.location("/"), .fileSize < 5), (.custom, .all),
        ]
        let sortings: [FileObjectSorting] = [
            FileObjectSorting(.name, directoriesFirst: true), FileObjectSorting(.size, ascending: false),
            FileObjectSorting(.path), FileObjectSorting(.modifiedDate),
        ]
        for (target, condition) in targets {
            let presentation = Query.Presentation(
                filters: Bool.random(using: &generator) ? [ClosureQueryFilter { $0.size != 4 }] : [],
                sorting: .by(sortings.randomElement(using: &generator)!),
                limit: Bool.random(using: &generator) ? Int.random(in: 0..<8, using: &generator) : nil)
            let query = Query(target, where: condition, presentation: presentation)
            try await server.core.pump.add(query)
            queries.append((query, []))
        }
        for round in 0..<40 {
            let changes = (0..<Int.random(in: 1..<6, using: &generator)).map { _ in
                RandomChange(&generator, names: names)
            }
            try await database.write { writer in for change in changes { try change.apply(writer) } }
            if Bool.random(using: &generator) { try await server.core.pump.follow() }
            guard Bool.random(using: &generator) || round == 39 else { continue }
            try await server.core.pump.follow()
            for index in queries.indices {
                let query = queries[index].query
                query.changes().apply(to: &queries[index].rows)
                #expect(queries[index].rows == query.queryResults, "seed \(seed), round \(round), query \(index)")
                let fresh = Query(query.target, where: query.condition, presentation: query.presentation)
                try await server.core.pump.add(fresh)
                await server.core.pump.remove(fresh)
                #expect(query.queryResults == fresh.queryResults, "seed \(seed), round \(round), query \(index)")
            }
        }
    }
}

/// Something that happens to a random item.
private struct RandomChange: Sendable {
    private let kind: Int
    private let pick: Int
    private let other: Int
    private let name: ItemName
    private let size: Int64

    init(_ generator: inout SeededGenerator, names: [ItemName]) {
        kind = Int.random(in: 0..<6, using: &generator)
        pick = Int.random(in: 0..<1_000, using: &generator)
        other = Int.random(in: 0..<1_000, using: &generator)
        name = names.randomElement(using: &generator)!
        size = Int64.random(in: 0..<9, using: &generator)
    }

    func apply(_ writer: ItemWriter) throws {
        var items: [Item] = []
        try writer.reader.forEachItem(in: .vault, where: .all, sorted: nil) { items.append($0) }
        let folders = [LocalID.root] + items.filter(\.isDirectory).map(\.localID)
        let folder = folders[other % folders.count]
        guard kind > 1, !items.isEmpty else {
            var version = kind == 0 ? ServerVersion.directory() : .file(size)
            version.modificationTime = FileTime(seconds: size)
            if try writer.reader.item(named: name, in: folder) == nil {
                try writer.insert(name, in: folder, version, isOnServer: true)
            }
            return
        }
        let item = items[pick % items.count]
        switch kind {
        case 2: try writer.remove(item.localID)
        case 3:
            let isInside = try folder == item.localID || writer.reader.path(ofDirectory: folder).isInside(item.path)
            if !isInside, try writer.reader.item(named: name, in: folder) == nil {
                try writer.move(item.localID, to: name, in: folder)
            }
        default:
            var version = item.version
            version.size = size
            try writer.update(item, to: version)
        }
    }
}
