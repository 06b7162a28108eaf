import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// A cancelled task stops waiting, whatever other tasks do.
@Suite(.timeLimit(.minutes(5))) struct CancelledWaitTests {
    @Test func `a query that waits for a scan's listing is stopped at once`() async throws {
        let server = try Server()
        for path in ["/silent", "/other"] as [ItemPath] { try await server.folder(path) }
        try await server.write("/silent/file")
        try await server.scanned()
        let (core, directory) = (server.core, try await server.id("/silent"))
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        server.connection.whenAsked { path in
            guard path == "/silent" else { return }
            arrived.yield()
            for await _ in gate {}
        }
        let scan = Task { try await core.deepCheck() }
        for await _ in arrivals { break }
        let query = Query(.location("/silent"))
        core.start(query)
        await query.reaches { $0.state == .updating && query.queryResults.count == 1 }
        while await core.discovery.listings[directory]?.end.isAwaited != true { await Task.yield() }
        await core.stop(query)
        #expect(query.state == .stopped)
        opener.finish()
        #expect(try await scan.value.isComplete)
    }

    @Test func `who waits beside somebody else's work until nothing is left is let go when cancelled`() async throws {
        let server = try Server()
        let core = server.core
        server.connection.meet(.held)
        try await server.put("text", as: "file")
        let running = Task { try await core.engine.run() }
        while try await core.syncRecords().first?.phase != .running { await Task.yield() }
        let settling = Task { try await core.settle() }
        while await core.engine.settlers.isEmpty { await Task.yield() }
        settling.cancel()
        await #expect(throws: CancellationError.self) { try await settling.value }
        #expect(try await core.syncRecords().first?.phase == .running)
        running.cancel()
        _ = await running.result
    }

    @Test func `who awaits commands is let go when the core is closed, which is said to everybody after that`()
        async throws
    {
        let server = try Server()
        let core = server.core
        server.connection.meet(.held, .held, .held)
        let waiting = (1...3).map { number in
            Task {
                try await core.upload(ByteStream(Data("text".utf8)), as: ItemName(validating: "\(number)"), in: .root)
            }
        }
        while try await core.syncRecords().count < 3 { await Task.yield() }
        try await core.close()
        for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
        await #expect {
            try await core.createFolder("late", in: .root)
        } throws: {
            $0.localizedDescription.contains("the vault has been closed")
        }
    }
}
