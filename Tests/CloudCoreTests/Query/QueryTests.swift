import FileProviderTesting
import FileProviding
import Foundation
import MemoryFiles
import Testing

@testable import CloudCore

@Suite struct QueryTests {
    @Test func `results come from the database first, then from the server`() async throws {
        let server = try Server()
        try await server.write("/a")
        try await server.core.scan()
        try await server.write("/b")
        server.connection.fail(with: URLError(.notConnectedToInternet))
        let query = Query(.location("/"))
        let delegate = RecordingQueryDelegate()
        query.delegate = delegate
        server.core.start(query)
        await query.reaches { $0.state == .contentsFromCache && $0.hasChanges }
        await delegate.reaches { !$0.failures.isEmpty }
        #expect(query.queryResults.map(\.name) == ["a"])
        server.connection.fail(with: nil)
        try await server.core.refresh(query)
        #expect(query.state == .idle)
        #expect(query.queryResults.map(\.name) == ["a", "b"])
        await server.core.stop(query)
        #expect(query.state == .stopped)
    }

    @Test func `a directory that nobody has looked at is found from the root down`() async throws {
        let server = try Server()
        try await server.write("/x/../a.txt")
        try await server.folder("/x/y/z")
        try await server.write("/x/y/z/deep.txt")
        let query = Query(.location("/x/y/z"))
        server.core.start(query)
        await query.reaches { $0.state == .idle }
        #expect(query.queryResults.map(\.path) == ["/x/y/z/deep.txt"])
        #expect(server.connection.requests().filter { $0 == "list /" }.count == 1)
    }

    @Test func `a thousand changes make one notification and one exact change set`() async throws {
        let server = try Server()
        let query = try await server.running(.location("/"))
        let delegate = RecordingQueryDelegate()
        query.delegate = delegate
        _ = query.changes()
        for number in 0..<1_000 {
            try await server.core.vault.database.write { writer in
                try writer.insert(ItemName(validating: "\(number)"), in: .root, .file(), isOnServer: true)
            }
        }
        try await server.core.pump.follow()
        #expect(delegate.recorded.notifications == 1)
        let changes = query.changes()
        #expect(changes.inserted.map(\.index) == Array(0..<1_000))
        #expect(changes.removed.isEmpty && changes.updated.isEmpty && changes.moved.isEmpty)
        #expect(query.changes().isEmpty)
    }

    @Test func `what comes and goes between two looks is in no change set`() async throws {
        let server = try Server()
        let query = try await server.running(.location("/"))
        _ = query.changes()
        let id = try await server.core.vault.database.write {
            try $0.insert("a", in: .root, .file(), isOnServer: true)
        }
        try await server.core.pump.follow()
        try await server.core.vault.database.write { _ = try $0.remove(id) }
        try await server.core.pump.follow()
        #expect(query.changes().isEmpty)
    }

    @Test func `another client's deletion shows within one scan, and in the parent's count of children`() async throws {
        let server = try Server()
        try await server.folder("/folder")
        for name in ["a", "b", "c"] { try await server.write(ItemPath(validating: "/folder/\(name)")) }
        try await server.core.scan()
        let inner = try await server.running(.location("/folder"))
        let outer = try await server.running(.location("/"))
        var (innerRows, outerRows): ([Item], [Item]) = ([], [])
        inner.changes().apply(to: &innerRows)
        outer.changes().apply(to: &outerRows)
        #expect(outerRows.map(\.childrenCount) == [3])
        try await server.provider.removeItem(path: "/folder/b")
        try await server.core.scan()
        let changes = inner.changes()
        #expect(changes.removed == [1])
        #expect(changes.updated.isEmpty)
        changes.apply(to: &innerRows)
        #expect(innerRows.map(\.name) == ["a", "c"])
        outer.changes().apply(to: &outerRows)
        #expect(outerRows.map(\.childrenCount) == [2])
    }

    @Test(arguments: [true, false])
    func `another client's deletion shows within one interval of discovery, with no other code`(
        propagates: Bool
    ) async throws {
        let server = try Server(propagates: propagates, tells: false)
        try await server.folder("/folder")
        for name in ["a", "b", "c"] { try await server.write(ItemPath(validating: "/folder/\(name)")) }
        let inner = try await server.running(.location("/folder"))
        let outer = try await server.running(.item("/folder"))
        let clock = SteppingClock()
        let running = Task { await server.core.run(every: .seconds(30), clock: clock) }
        await outer.reaches { _ in outer.queryResults.first?.childrenCount == 3 }
        try await server.provider.removeItem(path: "/folder/b")
        _ = (inner.changes(), outer.changes())
        // The scan and the wait for signals sleep an interval each.
        await clock.untilAsleep(2)
        clock.step()
        clock.step()
        await inner.reaches { _ in inner.queryResults.map(\.name) == ["a", "c"] }
        await outer.reaches { _ in outer.queryResults.first?.childrenCount == 2 }
        running.cancel()
        await running.value
    }

    @Test func `a location follows its directory, and says when that is gone and back`() async throws {
        let server = try Server()
        try await server.write("/note")
        try await server.folder("/a/b")
        try await server.write("/a/b/c")
        try await server.core.scan()
        let query = try await server.running(.location("/a/b"))
        var rows: [Item] = []
        query.changes().apply(to: &rows)
        try await server.provider.moveItem(path: "/a", to: "/z")
        try await server.core.scan()
        query.changes().apply(to: &rows)
        #expect(rows.map(\.path) == ["/z/b/c"])
        try await server.provider.removeItem(path: "/z/b")
        try await server.core.scan()
        query.changes().apply(to: &rows)
        #expect(query.state == .targetRemoved)
        #expect(rows.isEmpty)
        try await server.folder("/a/b")
        try await server.write("/a/b/again")
        try await server.core.scan()
        query.changes().apply(to: &rows)
        #expect(rows.map(\.path) == ["/a/b/again"])
        #expect(query.state != .targetRemoved)
    }

    @Test func `one item is followed through renames`() async throws {
        let server = try Server()
        try await server.write("/a")
        let query = try await server.running(.item("/a"))
        #expect(query.queryResults.map(\.name) == ["a"])
        try await server.provider.moveItem(path: "/a", to: "/b")
        try await server.core.scan()
        #expect(query.queryResults.map(\.name) == ["b"])
        try await server.provider.removeItem(path: "/b")
        try await server.core.scan()
        #expect(query.queryResults.isEmpty)
    }

    @Test func `since an anchor means every change from then on, removed items too`() async throws {
        let server = try Server()
        try await server.write("/a")
        try await server.write("/b")
        try await server.core.scan()
        let query = try await server.running(.since(try await server.core.anchor()))
        #expect(query.queryResults.isEmpty)
        try await server.provider.removeItem(path: "/a")
        try await server.write("/c")
        try await server.core.scan()
        let changed = query.queryResults.filter { !$0.isDirectory }
        #expect(changed.map { "\($0.name) \($0.isRemoved)" } == ["a true", "c false"])
    }

    @Test func `changes since a point that is not remembered mean starting over`() async throws {
        let server = try Server()
        try await server.write("/a")
        try await server.core.scan()
        let old = try await server.core.anchor()
        try await server.provider.removeItem(path: "/a")
        try await server.core.scan()
        try await server.core.forgetTombstones(before: FileTime(nanoseconds: .max))
        #expect(try await server.core.changes(since: old) == nil)
        let query = Query(.since(old))
        server.core.start(query)
        await query.reaches { $0.state == .startOver }
        #expect(query.queryResults.map(\.path) == ["/"])
    }

    @Test func `closing a core ends its queries, and lets the vault be opened again`() async throws {
        let server = try Server()
        let query = try await server.running(.location("/"))
        let listener = Task { for await _ in query {} }
        try await server.core.close()
        await listener.value
        #expect(query.state == .stopped)
    }

    @Test func `a location that the server does not have is said to be gone`() async throws {
        let server = try Server()
        let query = Query(.location("/nowhere"))
        let delegate = RecordingQueryDelegate()
        query.delegate = delegate
        server.core.start(query)
        await query.reaches { $0.state == .targetRemoved }
        await delegate.reaches { $0.failures.contains { $0.isNoSuchFile } }
        // A scan that finds something else changes nothing about that.
        try await server.write("/other")
        try await server.core.scan()
        #expect(query.state == .targetRemoved && query.failure != nil)
        try await server.folder("/nowhere")
        try await server.write("/nowhere/file")
        try await server.core.scan()
        #expect(query.state == .idle && query.failure == nil)
        #expect(query.queryResults.map(\.path) == ["/nowhere/file"])
    }

    @Test func `filters, order and limit can change while the query runs`() async throws {
        let server = try Server()
        for number in 1...12 {
            try await server.write(
                ItemPath(validating: "/file \(number).txt"), String(repeating: "x", count: 20 - number))
        }
        let query = try await server.running(.location("/"))
        var rows: [Item] = []
        func look() async throws -> [String] {
            try await server.core.pump.reload(query)
            query.changes().apply(to: &rows)
            #expect(rows == query.queryResults)
            return rows.map { String($0.name.dropFirst(5).dropLast(4)) }
        }
        #expect(try await look() == (1...12).map(String.init))
        query.presentation.limit = 3
        #expect(try await look() == ["1", "2", "3"])
        query.presentation.limit = nil
        await query.reaches(\.hasChanges)
        #expect(try await look() == (1...12).map(String.init))
        query.presentation.limit = 3
        #expect(try await look() == ["1", "2", "3"])
        query.presentation.sorting = .by(FileObjectSorting(.size))
        #expect(try await look() == ["12", "11", "10"])
        query.presentation.filters = [ClosureQueryFilter { $0.name.contains("1") }]
        query.presentation.limit = nil
        #expect(try await look() == ["12", "11", "10", "1"])
        query.presentation.sorting = .comparator { $0.name.count < $1.name.count }
        #expect(try await look() == ["1", "10", "11", "12"])
        try await server.provider.removeItem(path: "/file 10.txt")
        try await server.core.scan()
        #expect(try await look() == ["1", "11", "12"])
    }
}

extension Server {
    /// A query that has everything that the server has.
    func running(_ target: QueryTarget, where condition: FileQuery = .all) async throws -> Query {
        let query = Query(target, where: condition)
        core.start(query)
        await query.reaches { $0.state == .idle }
        return query
    }
}

extension Query {
    /// Waits until the query stands as asked for.
    func reaches(_ isReached: (QueryNotification) -> Bool) async {
        for await notification in self where isReached(notification) { return }
    }
}

/// Counts what a query tells.
final class RecordingQueryDelegate: QueryDelegate {
    struct Record: Sendable {
        var notifications = 0
        var failures: [any Error] = []
    }

    private let record = Locked(Record())
    private let (stream, continuation) = AsyncStream.makeStream(of: Record.self)

    var recorded: Record { record.withLock { $0 } }

    func queryHasChangesAvailable(_ query: Query) { note { $0.notifications += 1 } }

    func query(_ query: Query, failedWith error: any Error) { note { $0.failures.append(error) } }

    func reaches(_ isReached: (Record) -> Bool) async {
        if isReached(recorded) { return }
        for await record in stream where isReached(record) { return }
    }

    private func note(_ change: (inout Record) -> Void) {
        continuation.yield(
            record.withLock { record in
                change(&record)
                return record
            })
    }
}
