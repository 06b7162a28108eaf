import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite(.serialized) struct ConnectionStatusTests {
    private let server: Server

    init() throws { server = try Server() }

    private struct Refusal: FileProviderHTTPError {
        var statusCode: Int
        var path = "/"
        var serverDescription: String?
    }

    @Test func `offline, commands are accepted, and nothing is asked until the server is back`() async throws {
        server.connection.fail(with: URLError(.cannotConnectToHost))
        try await server.put("1", as: "one")
        try await server.put("2", as: "two")
        try await server.core.settle()
        #expect(server.core.connectionStatus == .offline)
        #expect(try await server.core.syncRecords().contains { $0.waits.contains(.network) })
        #expect(try await server.known() == ["/one", "/two"])
        _ = server.connection.requests()
        await server.core.reconnect()
        #expect(server.core.connectionStatus == .offline)
        server.connection.fail(with: nil)
        await server.core.reconnect()
        #expect(server.core.connectionStatus == .online)
        try await server.expectConverged()
    }

    @Test func `after a new start, one request shows whether the server is still away, not one of each command`()
        async throws
    {
        server.connection.fail(with: URLError(.cannotConnectToHost))
        for name in ["one", "two", "three"] as [ItemName] {
            try await server.put("1", as: name)
            try await server.core.settle()
        }
        let again = try await server.reopened()
        for name in ["four", "five"] as [ItemName] { try await again.put("1", as: name) }
        _ = again.connection.requests()
        try await again.core.settle()
        #expect(again.connection.requests() == ["attributes /"])
        again.connection.fail(with: nil)
        try await again.core.settle()
        #expect(again.connection.requests().count == 6)
        try await again.expectConverged()
    }

    @Test(.timeLimit(.minutes(5)))
    func `a state is told once, however often it is found again`() async throws {
        let clock = SteppingClock()
        let server = try Server(tells: false, sleeper: clock)
        let statuses = Locked<[ConnectionStatus]>([])
        let watching = Task {
            for await status in server.core.connectionStatuses { statuses.withLock { $0.append(status) } }
        }
        server.connection.fail(with: URLError(.cannotConnectToHost))
        try await server.put("1", as: "one")
        let running = Task { try await server.core.engine.run() }
        for round in 0..<5 {
            await clock.untilAsleep()
            while round > 0, server.connection.requests().isEmpty { await Task.yield() }
            while statuses.withLock({ $0.last }) != .offline { await Task.yield() }
            clock.step()
        }
        running.cancel()
        _ = await running.result
        watching.cancel()
        #expect(statuses.withLock { $0.filter { $0 != .offline }.count } <= 1)
        #expect(statuses.withLock { $0.filter { $0 == .offline }.count } == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a server that refuses its root after an outage is sent commands again`() async throws {
        let clock = SteppingClock()
        let server = try Server(tells: false, sleeper: clock)
        server.connection.fail(with: URLError(.cannotConnectToHost))
        let pending = try await server.core.submit(.createFolder("a", in: .root))
        let running = Task { try await server.core.engine.run() }
        for await status in server.core.connectionStatuses where status == .offline { break }
        await clock.untilAsleep()
        server.connection.fail(with: nil)
        server.connection.refuseAttributes(of: .root)
        clock.step()
        #expect(try await pending.item.cloudStatus == .cloudOnly)
        running.cancel()
        _ = await running.result
    }

    @Test func `what a command waits for outlives the program, and a new start tries at once`() async throws {
        server.connection.fail(with: URLError(.cannotConnectToHost))
        try await server.put("1", as: "one")
        try await server.core.settle()
        let again = try await server.reopened()
        #expect(try await again.core.syncRecords().map(\.waits) == [[.network]])
        again.connection.fail(with: nil)
        try await again.expectConverged()
    }

    @Test func `maintenance and a missing credential are issues until they are over, and end no command`() async throws
    {
        let cases: [(any Error, ConnectionStatus, CloudCore.Issue.Kind)] = [
            (Refusal(statusCode: 503), .maintenance, .maintenance),
            (URLError(.userAuthenticationRequired), .unauthenticated, .authenticationNeeded),
            (URLError(.serverCertificateUntrusted), .untrusted, .certificateUntrusted),
        ]
        for (number, (error, status, kind)) in cases.enumerated() {
            server.connection.fail(with: error)
            try await server.put("x", as: ItemName(validating: "file \(number)"))
            try await server.core.settle()
            #expect(server.core.connectionStatus == status)
            #expect(try await server.core.issues().map(\.id.kind) == [kind])
            #expect(try await server.core.syncRecords().count == 1)
            server.connection.fail(with: nil)
            try await server.core.resolve(CloudCore.Issue.ID(kind), with: .retry)
            #expect(try await server.core.issues().isEmpty)
            try await server.expectConverged()
        }
    }

    @Test func `nobody follows the server to an address that they have not seen`() async throws {
        func move(to host: String) async throws -> CloudCore.Issue {
            let address = try #require(URL(string: "https://\(host)/"))
            await server.core.engine.note(.redirected, "moved", .address(address))
            return try #require(try await server.core.issues().first { $0.id.kind == .redirected })
        }
        let seen = try await move(to: "first.example")
        _ = try await move(to: "second.example")
        await #expect(throws: CocoaError.self) { try await server.core.resolve(seen, with: .follow) }
        #expect(try await server.core.issues().contains { $0.id == seen.id })
        #expect(server.core.bookmark.url.scheme == "mem")
    }

    @Test func `a network that breaks marks no credential as wrong`() async throws {
        for code in [URLError.Code.timedOut, .networkConnectionLost, .notConnectedToInternet, .cannotFindHost] {
            server.connection.fail(with: URLError(code))
            await #expect(throws: URLError.self) { try await server.core.scan() }
            #expect(server.core.connectionStatus == .offline)
            #expect(try await server.core.issues().isEmpty)
        }
    }

    @Test(arguments: [502, 504])
    func `a proxy that stands alone is a server that is away, whose return queries hear of`(status: Int) async throws {
        let passed = Locked<Int64>(0)
        let server = try Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
        for path in ["/renamed", "/removed"] as [ItemPath] { try await server.write(path) }
        let query = try await server.running(.location("/"))
        server.connection.fail(with: Refusal(statusCode: status))
        try await server.move("/renamed", to: "/new")
        try await server.delete("/removed")
        try await server.make("folder")
        for _ in 0..<12 {
            await server.core.reconnect()
            try await server.core.settle()
            passed.withLock { $0 += 600 }
        }
        #expect(server.core.connectionStatus == .offline)
        #expect(try await server.core.issues().isEmpty)
        try #require(try await server.core.syncRecords().count == 3)

        await #expect(throws: Refusal.self) { try await server.core.refresh(query) }
        #expect(server.core.connectionStatus == .offline)
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.expectConverged()
        #expect(try await server.walked() == ["/folder", "/new"])
        await query.reaches { $0.state == .idle }
        #expect(query.failure == nil)
    }

    @Test func `trouble that other news have overtaken is no issue when it comes to be written down`() async throws {
        let engine = server.core.engine
        var note: Task<Void, Never>?
        _ = try await server.core.vault.database.whileWriting {
            note = Task { await engine.note(.unauthenticated, "who is it?") }
            while engine.status != .unauthenticated { await Task.yield() }
            // As whoever hears from the server meanwhile, and is written down first.
            _ = await engine.statusBoard.set(.online)
        }
        await note?.value
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `while the core runs, a server that is back is found without being told`() async throws {
        let core = server.core
        server.connection.fail(with: URLError(.timedOut))
        let running = Task { await core.run(every: .seconds(86_400)) }
        let statuses = core.connectionStatuses
        for await status in statuses where status == .offline { break }
        let pending = try await core.submit(.createFolder("a", in: .root))
        server.connection.fail(with: nil)
        #expect(try await pending.item.cloudStatus == .cloudOnly)
        #expect(core.connectionStatus == .online)
        running.cancel()
        await running.value
    }

    @Test(.timeLimit(.minutes(5)))
    func `a command whose time has come while the server is away waits quietly`() async throws {
        // Whoever looks at the clock sees ten seconds more: no pause lasts.
        let (start, looks) = (FileTime(Date()), Locked<Int64>(0))
        let server = try Server(clock: {
            let seconds = looks.withLock { looks in
                looks += 1
                return looks * 10
            }
            return start.later(bySeconds: seconds)
        })
        let core = server.core
        let attempts = Locked(0)
        server.connection.meet(by: { [connection = server.connection] _ in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt == 2 { connection.fail(with: URLError(.timedOut)) }
            return .lost(URLError(.timedOut))
        })
        _ = try await core.submit(.createFolder("a", in: .root))
        let running = Task { try await core.engine.run() }
        // For the server, and for a time.
        while try await core.syncRecords().first?.waits.count != 2 { await Task.yield() }
        let before = looks.withLock { $0 }
        try await Task.sleep(for: .milliseconds(300))
        #expect(looks.withLock { $0 } - before < 200)
        running.cancel()
        _ = await running.result
    }

    @Test func `trouble with one command holds up no other`() async throws {
        let now = Locked(FileTime(Date()))
        let server = try Server(clock: { now.withLock { $0 } })
        server.connection.meet(.lost(Refusal(statusCode: 500)), .lost(CocoaError(.fileLocking)))
        try await server.put("1", as: "one")
        try await server.put("2", as: "two")
        try await server.put("3", as: "three")
        try await server.core.settle()
        #expect(server.core.connectionStatus == .online)
        #expect(try await server.walked().count == 1)
        #expect(try await server.core.syncRecords().count == 2)
        now.withLock { $0 = $0.later(bySeconds: 60) }
        try await server.expectConverged()
        #expect(try await server.walked() == ["/one", "/three", "/two"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a command does not wait until a clock that was set back is there again`() async throws {
        let (now, sleeper) = (Locked(FileTime(Date())), SteppingClock())
        let server = try Server(clock: { now.withLock { $0 } }, sleeper: sleeper)
        let core = server.core
        let running = Task { await core.run(every: .seconds(86_400)) }
        server.connection.meet(.lost(Refusal(statusCode: 500)))
        try await server.put("1", as: "one")
        await sleeper.untilAsleep()
        now.withLock { $0 = $0.later(bySeconds: -86_400) }
        // Whatever wakes the engine.
        try await server.put("2", as: "two")
        while try await !core.syncRecords().isEmpty { await Task.yield() }
        #expect(try await server.walked() == ["/one", "/two"])
        running.cancel()
        await running.value
    }

    @Test func `trying earlier than was meant, at every start, uses up no patience`() async throws {
        let server = try Server()
        _ = try await server.core.submit(.createFolder("folder", in: .root))
        for _ in 1...14 {
            server.connection.meet(.lost(Refusal(statusCode: 500)))
            try await server.core.settle()
            #expect(try await server.core.syncRecords().count == 1)
        }
        try await server.core.settle()
        #expect(try await server.walked() == ["/folder"])
    }

    @Test func `what is always refused ends, however early each start tries it again`() async throws {
        let server = try Server()
        server.connection.meet { _ in .lost(Refusal(statusCode: 500)) }
        _ = try await server.core.submit(.createFolder("folder", in: .root))
        var starts = 0
        while try await !server.core.syncRecords().isEmpty {
            starts += 1
            try #require(starts < 60)
            try await server.core.settle()
        }
        #expect(try await server.known().isEmpty)
    }

    @Test(arguments: [false, true])
    func `what goes on by itself soon is waited for by whoever has the patience`(isRunning: Bool) async throws {
        let (start, sleeper) = (FileTime(Date()), SteppingClock())
        let origin = sleeper.now
        let server = try Server(
            clock: { start.later(bySeconds: origin.duration(to: sleeper.now).components.seconds) }, sleeper: sleeper)
        let core = server.core
        let running = isRunning ? Task { await core.run(every: .seconds(86_400)) } : nil
        for _ in 1...2 { server.connection.meet(.lost(Refusal(statusCode: 500))) }
        try await server.put("1", as: "one")
        for patience in [Duration.zero, .seconds(1)] {
            try await core.settle(waiting: patience)
            #expect(try await core.syncRecords().map(\.refusals) == [1])
        }
        async let settled: Void = core.settle(waiting: .seconds(8))
        // Two seconds, and then four.
        for _ in 1...2 {
            await sleeper.untilAsleep()
            sleeper.step()
        }
        try await settled
        #expect(try await core.syncRecords().isEmpty)
        running?.cancel()
        await running?.value
    }
}
