import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// How queries begin and end beside others.
@Suite struct QueryLifeTests {
    @Test func `a query that the vault cannot be read for ends, and says why`() async throws {
        let server = try Server()
        let database = server.core.vault.database
        try await database.write { try $0.execute("ALTER TABLE items RENAME TO hidden", []) }
        let query = Query(.custom)
        let delegate = RecordingQueryDelegate()
        query.delegate = delegate
        server.core.start(query)
        for await _ in query {}
        #expect(query.failure is CocoaError)
        await delegate.reaches { !$0.failures.isEmpty }

        try await database.write { try $0.execute("ALTER TABLE hidden RENAME TO items", []) }
        server.core.start(query)
        await query.reaches { $0.state == .idle }
        #expect(query.failure == nil)
    }

    @Test func `a query that has been stopped stays so`() async throws {
        let server = try Server()
        let query = Query(.custom)
        server.core.start(query)
        await query.reaches { $0.state == .idle }
        await server.core.stop(query)
        query.presentation = Query.Presentation(limit: 1)
        try await server.core.refresh(query)
        #expect(query.state == .stopped)
        #expect(server.core.queryWork.withLock { $0.isEmpty })
    }

    @Test(.timeLimit(.minutes(10)))
    func `whoever iterates may be cancelled while the query changes`() async throws {
        let query = Query(.custom)
        var ended = 0
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    query.change { $0.hasChanges.toggle() }
                    await Task.yield()
                }
            }
            for _ in 0..<50 {
                let readers = (0..<4).map { _ in
                    Task {
                        for await _ in query {}
                        return Task.isCancelled
                    }
                }
                await Task.yield()
                for reader in readers { reader.cancel() }
                for reader in readers where await reader.value { ended += 1 }
            }
            group.cancelAll()
        }
        #expect(ended == 200)
    }

    @Test func `of several changes the iteration tells the state after the last`() async throws {
        let query = Query(.custom)
        var iterator = query.makeAsyncIterator()
        #expect(await iterator.next()?.hasChanges == false)
        for hasChanges in [true, false, true] { query.change { $0.hasChanges = hasChanges } }
        #expect(await iterator.next()?.hasChanges == true)
        query.change { $0.hasChanges = false }
        query.change { $0.hasChanges = true }
        // It is another one, although it is equal.
        #expect(await iterator.next()?.hasChanges == true)
        query.finishIterations()
        #expect(await iterator.next() == nil)
    }

    @Test func `a query that cannot be read keeps no other from following, and follows when it can`() async throws {
        let server = try Server()
        for path in ["/a", "/b"] as [ItemPath] { try await server.folder(path) }
        try await server.write("/a/damaged")
        try await server.scanned()
        let a = try await server.running(.location("/a"))
        // In no order: the one may come first, or last.
        var others: [Query] = []
        for _ in 0..<12 { others.append(try await server.running(.location("/b"))) }
        let parents = (try await server.id("/a"), try await server.id("/b"))
        func set(_ version: String) async throws {
            try await server.core.vault.database.write { writer in
                try writer.execute("UPDATE items SET newerVersion = \(version) WHERE name = 'damaged'", [])
                // Then everything is read anew.
                try writer.execute("UPDATE counters SET value = value + 1 WHERE name = 'directoryMoves'", [])
                for parent in [parents.0, parents.1] {
                    try writer.insert(ItemName(validating: version), in: parent, .file(), isOnServer: true)
                }
            }
        }
        try await set("'{'")
        await #expect(throws: (any Error).self) { try await server.core.pump.follow() }
        #expect(others.allSatisfy { $0.queryResults.count == 1 } && a.queryResults.count == 1)
        try await set("NULL")
        try await server.core.pump.follow()
        #expect(others.allSatisfy { $0.queryResults.count == 2 } && a.queryResults.count == 3)
    }

    @Test func `stopping one query does not wait for another's listing, nor does closing`() async throws {
        let server = try Server()
        for path in ["/quick", "/slow"] as [ItemPath] { try await server.folder(path) }
        try await server.scanned()
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        server.connection.whenAsked { path in
            guard path == "/slow" else { return }
            arrived.yield()
            try await Task.sleep(for: .seconds(3_600))
        }
        let slow = Query(.location("/slow"))
        server.core.start(slow)
        for await _ in arrivals { break }
        let quick = Query(.location("/quick"))
        server.core.start(quick)
        // Its listing has come, and it waits for the other: what one of them misses, the other may have.
        while !server.connection.requests().contains("list /quick") { await Task.yield() }
        await server.core.stop(quick)
        try await server.core.close()
        #expect(slow.state == .stopped)
    }

    @Test func `a core that goes does not take the news from another one over the same vault`() async throws {
        let server = try Server()
        let query = try await server.running(.location("/"))
        var other: Core? = Core(vault: server.core.vault, connection: server.connection)
        #expect(try await other?.summary() != nil)
        other = nil
        try await server.core.vault.database.write { writer in
            try writer.insert("new", in: .root, .file(), isOnServer: true)
        }
        await query.reaches { _ in query.queryResults.map(\.name) == ["new"] }
    }

    /// As an app's filter may that asks what is shown.
    @Test func `a filter may look at its query`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.scanned()
        let looking = Locked<Query?>(nil)
        let query = Query(
            .location("/a"),
            presentation: Query.Presentation(
                filters: [ClosureQueryFilter { _ in (looking.withLock { $0 }?.queryResults.count ?? 0) < 10 }]))
        looking.withLock { $0 = query }
        server.core.start(query)
        await query.reaches { $0.state == .idle }
        try await server.put("text", as: "file", in: "/a")
        await query.reaches { _ in query.queryResults.count == 1 }
        looking.withLock { $0 = nil }
    }
}
