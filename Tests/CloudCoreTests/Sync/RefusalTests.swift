import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Commands that the server refuses, and who hears of it.
@Suite struct RefusalTests {
    @Test func `what was accepted by an earlier run and is refused is an issue, and has been taken back`() async throws
    {
        let first = try Server()
        for path in ["/kept", "/other"] as [ItemPath] { try await first.write(path) }
        try await first.sync()
        first.connection.fail(with: URLError(.cannotConnectToHost))
        try await first.delete("/kept")
        try await first.make("folder")
        try await first.move("/other", to: "/moved")
        try await first.core.settle()

        let server = try await first.reopened()
        server.connection.fail(with: nil)
        server.connection.meet(by: { _ in .lost(CocoaError(.fileWriteNoPermission)) })
        try await server.expectConverged()
        #expect(try await server.known() == ["/kept", "/other"])
        let issues = try await server.core.issues()
        #expect(issues.map(\.id.kind) == [.commandRefused, .commandRefused, .commandRefused])
        #expect(
            issues.map { $0.detail.prefix(9) }.sorted() == ["a folder ", "a move wa", "a removal"], "\(issues)")
        for issue in issues { try await server.core.resolve(issue.id, with: .acknowledge) }
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `who was given the command hears of its refusal, and no issue tells it again`() async throws {
        let server = try Server()
        try await server.write("/kept")
        try await server.sync()
        server.connection.meet(by: { _ in .lost(CocoaError(.fileWriteNoPermission)) })
        let pending = try await server.accept(.delete(server.id("/kept")))
        await #expect(throws: CocoaError.self) { try await pending.item }
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `when nobody has a command any more, an issue tells that it was refused`() async throws {
        let server = try Server()
        try await server.write("/kept")
        try await server.sync()
        server.connection.meet(by: { _ in .lost(CocoaError(.fileWriteNoPermission)) })
        _ = try await server.accept(.copy(server.id("/kept"), to: .root, as: "copy"))
        try await server.core.settle()
        #expect(try await server.core.issues().map(\.id.kind) == [.commandRefused])
        #expect(try await server.known() == ["/kept"])
    }

    @Test func `a file that is to be available offline and is refused is an issue until it can be fetched`()
        async throws
    {
        let server = try Server()
        try await server.folder("/folder")
        try await server.write("/folder/file")
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/folder"), true)
        let delegate = RecordingIssueDelegate()
        try await server.core.setIssueDelegate(delegate)
        server.connection.meet(by: { _ in .lost(CocoaError(.fileReadNoPermission)) })
        var raised: Set<FileTime> = []
        for _ in 1...2 {
            try await server.core.followPolicies()
            try await server.core.settle()
            let issues = try await server.core.issues()
            #expect(
                issues.map(\.id) == [CloudCore.Issue.ID(.commandRefused, about: try await server.id("/folder/file"))])
            raised.formUnion(issues.map(\.raisedAt))
            try await server.core.issueBoard.follow()
        }
        #expect(raised.count == 1)
        #expect(delegate.events.count == 1)
        server.connection.meet(by: nil)
        try await server.core.followPolicies()
        try await server.core.settle()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.core.item(at: "/folder/file")?.cloudStatus == .localCopy)
    }

    private struct Unavailable: FileProviderHTTPError {
        var statusCode: Int
        var path = "/external/a"
        var serverDescription: String?
    }

    @Test(
        arguments: [
            Unavailable(statusCode: 502), Unavailable(statusCode: 503), Unavailable(statusCode: 504),
            URLError(.networkConnectionLost), URLError(.userAuthenticationRequired),
        ] as [any Error])
    func `one item that is unavailable for good is not the server's outage`(error: any Error) async throws {
        let passed = Locked<Int64>(0)
        let server = try Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
        try await server.folder("/external")
        try await server.sync()
        server.connection.meet(by: { operation in
            if case .upload(let upload) = operation, upload.path.isInside("/external") {
                return .lost(error)
            }
            return .none
        })
        try await server.put("1", as: "a", in: "/external")
        for round in 0..<20 {
            try await server.put("2", as: ItemName(validating: "\(round)"))
            await server.core.reconnect()
            try await server.core.settle()
            passed.withLock { $0 += 600 }
        }
        await server.core.reconnect()
        try await server.core.settle()
        #expect(server.core.connectionStatus == .online)
        #expect(try await server.core.issues().map(\.id.kind) == [.commandFailed])
        #expect(try await server.walked().count == 21)
    }

    @Test func `a move for which the server tells another address is about that move alone`() async throws {
        let passed = Locked<Int64>(0)
        let server = try Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
        try await server.write("/file")
        try await server.sync()
        server.connection.meet(by: { operation in
            if case .move = operation { .lost(Unavailable(statusCode: 301)) } else { .none }
        })
        let pending = try await server.accept(.move(server.id("/file"), to: .root, as: "moved"))
        for _ in 0..<20 {
            try await server.core.settle()
            passed.withLock { $0 += 600 }
        }
        #expect(try await server.core.syncRecords().isEmpty)
        await #expect(throws: (any Error).self) { try await pending.item }
        #expect(server.core.connectionStatus == .online)
        #expect(try await server.known() == ["/file"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `contents that were removed after the server failed with them are given up with the removal`()
        async throws
    {
        let passed = Locked<Int64>(0)
        let server = try Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
        server.connection.meet(by: { _ in .lost(Unavailable(statusCode: 500)) })
        try await server.put("1", as: "new")
        try await server.core.settle()
        let removal = try await server.accept(.delete(server.id("/new")))
        passed.withLock { $0 += 600 }
        try await server.core.settle()
        #expect(try await server.core.syncRecords().isEmpty)
        #expect(try await server.core.issues().isEmpty)
        // Nobody knows whether the server has it after all.
        await #expect(throws: (any Error).self) { try await removal.item }
        #expect(try await server.known().isEmpty)
        try await server.expectConverged()
    }

    @Test func `a server that does not know who is asking is not asked again by a core that runs`() async throws {
        let server = try Server(tells: false)
        let clock = SteppingClock()
        server.connection.fail(with: URLError(.userAuthenticationRequired))
        let query = Query(.location("/"))
        server.core.start(query)
        let running = Task { await server.core.run(every: .seconds(30), clock: clock) }
        for await status in server.core.connectionStatuses where status == .unauthenticated { break }
        // The look at the server and the wait for its news sleep an interval each.
        await clock.untilAsleep(2)
        _ = server.connection.requests()
        for _ in 1...10 {
            clock.step()
            await clock.untilAsleep(2)
        }
        #expect(server.connection.requests().isEmpty)
        #expect(try await server.core.issues().map(\.id.kind) == [.authenticationNeeded])

        server.connection.fail(with: nil)
        try await server.core.resolve(CloudCore.Issue.ID(.authenticationNeeded), with: .retry)
        try await server.write("/new")
        while try await server.core.item(at: "/new") == nil {
            await clock.untilAsleep(2)
            clock.step()
        }
        while query.state != .idle { await Task.yield() }
        #expect(query.failure == nil && query.queryResults.map(\.name) == ["new"])
        running.cancel()
        await running.value
    }

    @Test func `contents that somebody has frozen stay where they are while others are written`() async throws {
        let server = try Server()
        try await server.write("/file", "old")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.sync()
        let claim = try await server.core.claim(server.id("/file"), .explicit, lock: .write)
        let seen = try #require(try await server.core.localCopy(of: server.id("/file")))
        for text in ["new", "newest"] {
            try await server.edit("/file", text)
            #expect(try server.scratch.read(seen) == "old")
        }
        try await server.expectConverged()
        #expect(try await server.text("/file") == "newest")
        #expect(try server.scratch.read(seen) == "old")
        try await server.core.giveUp(claim)
        try await server.core.vacuum()
        #expect(!server.scratch.exists(seen))
    }
}
