import CloudCore
import FileProviderTesting
import FileProviders
import Foundation
import ProviderAdapter
import Testing

/// Progress that outlives the program.
@Suite struct ProgressTests {
    private static let subjects = SyncSubject.running.filter { [.local, .sabre, .sshd].contains($0) }

    @Test(arguments: subjects)
    func `an upload that was killed shows what the server has, under the same identifier, and goes on from there`(
        subject: SyncSubject
    ) async throws {
        try await subject.withFolder { provider in
            let vaults = try LocalTree()
            let bookmark = try Bookmark(name: "Victim", url: #require(URL(string: "https://example.org/")))
            let victim = VictimProgram(vaults: vaults, bookmarkID: bookmark.id, server: provider)
            let lines = try await victim.run("stall", linesBeforeDeath: 2)
            #expect(lines.last == "stalled")
            let id = EventID(rawValue: try #require(VictimProgram.texts(of: "accepted", in: lines).first))

            let proxy = try subject == .sabre ? FaultProxy(to: #require(provider.baseURL?.port)) : nil
            let core = Core(
                vault: try Vault(of: bookmark, in: LocalPath(vaults.url.path)),
                connection: try proxy.map { try victim.connection(through: $0) } ?? ProviderAdapter(provider))
            let pending = try #require(try await core.pendingCommand(id))
            #expect(pending.progress.completedUnitCount == 16 << 20)
            #expect(pending.progress.totalUnitCount == 40 << 20)
            #expect(try await core.syncRecords().map(\.completed) == [16 << 20])
            #expect(try await pending.item.size == 40 << 20)
            #expect(pending.progress.isFinished)
            #expect(try await provider.attributesOfItem(path: "/large").size == 40 << 20)
            if let proxy { #expect(proxy.traffic.bytesToServer < 25 << 20) }
            try await core.close()
        }
    }
}
