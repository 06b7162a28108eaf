import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Two callers with the same command get the same result.
@Suite struct JoinedCommandTests {
    @Test func `whoever joins a command hears of its end from the moment at which that is written down`() async throws {
        let first = try Server()
        try await first.write("/file")
        try await first.sync()
        let time = FileTime(seconds: 1_000)
        _ = try await first.accept(.update(first.id("/file"), ItemAttributes(modificationTime: time)))
        // Reopened, as in a later run of the program, in which nobody awaits the command.
        let server = try await first.reopened()
        let core = server.core
        let record = try #require(try await core.syncRecords().first)
        #expect(!core.commands.isAwaited(record.id))
        let wasAwaited = Locked(false)
        let observation = core.vault.database.onChange { _ in
            if core.commands.isAwaited(record.id) { wasAwaited.withLock { $0 = true } }
        }
        let joined = try await server.accept(
            .update(server.id("/file"), ItemAttributes(modificationTime: time.later(bySeconds: 5))))
        core.vault.database.stopObserving(observation)
        #expect(joined.id == record.id)
        #expect(wasAwaited.withLock { $0 })
        try await core.cancel(record.id)
        await #expect(throws: CocoaError.self) { _ = try await joined.item }
    }

    @Test func `a command that is called off while somebody looks for it is no success`() async throws {
        let server = try Server()
        try await server.write("/file")
        try await server.sync()
        let (id, core) = (try await server.id("/file"), server.core)
        var rounds = 0
        for _ in 0..<100 {
            let download = try await core.submit(.download(id))
            async let cancelled: Void = core.cancel(download.id)
            let found = try await core.pendingCommand(download.id)
            try await cancelled
            if let found {
                rounds += 1
                await #expect(throws: CocoaError.self) { _ = try await found.item }
            }
            #expect(try await core.pendingCommand(download.id) == nil)
        }
        #expect(rounds > 0)
    }
}
