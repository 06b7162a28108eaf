import CloudCore
import FileProviderTesting
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// Progress that outlives the program.
@Suite struct ProgressTests {
    private static let subjects = SyncSubject.running.filter { [.local, .sabre, .sshd].contains($0) }

    @Test(arguments: subjects)
    func `an upload that was killed shows what the server has, under the same identifier, and goes on from there`(
        subject: SyncSubject
    ) async throws {
        try await withInterruptedUpload(to: subject) { provider, victim, vault, id in
            let proxy = try subject == .sabre ? FaultProxy(to: #require(provider.baseURL?.port)) : nil
            let core = Core(
                vault: vault,
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

    @Test(arguments: subjects.filter { $0 != .sshd })
    func `an upload that was killed and is called off then leaves nothing on the server`(
        subject: SyncSubject
    ) async throws {
        try await withInterruptedUpload(to: subject) { provider, victim, vault, id in
            let before = try parts(at: provider, of: subject)
            #expect(before.count == 1, "\(before)")

            let core = Core(vault: vault, connection: try victim.connection())
            try await core.cancel(id)
            #expect(try await core.syncRecords().isEmpty)
            try await core.settle()
            let after = try parts(at: provider, of: subject)
            #expect(after == [])
            let transfers = URL(filePath: core.vault.folder.description).appending(path: "transfers")
            #expect(try FileManager.default.contentsOfDirectory(atPath: transfers.path) == [])
            try await core.close()
        }
    }

    @Test func `what a killed upload has left waits for a server that has trouble`() async throws {
        try await withInterruptedUpload(to: .sabre) { provider, victim, vault, id in
            // No honest server has trouble on demand.
            let troubled = try ScriptedResponder { _ in .reply(503, headers: [("Retry-After", "0")]) }
            defer { troubled.stop() }
            let lame = Core(
                vault: vault,
                connection: ProviderAdapter(
                    try WebDAVFileProvider(configuration: WebDAVConfiguration(url: troubled.url), credential: nil)))
            try await lame.cancel(id)
            try await lame.settle()
            try await lame.close()
            let transfers = URL(filePath: vault.folder.description).appending(path: "transfers")
            #expect(try FileManager.default.contentsOfDirectory(atPath: transfers.path).count == 1)
            #expect(!troubled.requests.isEmpty)

            let core = Core(
                vault: try Vault(of: vault.bookmark, in: LocalPath(victim.vaults.url.path)),
                connection: try victim.connection())
            try await core.settle()
            #expect(try FileManager.default.contentsOfDirectory(atPath: transfers.path) == [])
            #expect(try parts(at: provider, of: .sabre) == [])
            try await core.close()
        }
    }

    /// Hands over the vault of a program that died when 16 MiB of 40 had been sent, and the name of its command.
    private func withInterruptedUpload(
        to subject: SyncSubject,
        _ body: (any FileProvider, VictimProgram, Vault, EventID) async throws -> Void
    ) async throws {
        try await subject.withFolder { provider in
            let vaults = try LocalTree()
            let bookmark = try Bookmark(name: "Victim", url: #require(URL(string: "https://example.org/")))
            let victim = VictimProgram(vaults: vaults, bookmarkID: bookmark.id, server: provider)
            let lines = try await victim.run("stall", linesBeforeDeath: 2)
            #expect(lines.last == "stalled")
            let id = EventID(rawValue: try #require(VictimProgram.texts(of: "accepted", in: lines).first))
            try await body(provider, victim, Vault(of: bookmark, in: LocalPath(vaults.url.path)), id)
        }
    }

    /// The names in the folder on the server's disk, hidden ones too.
    private func parts(at provider: any FileProvider, of subject: SyncSubject) throws -> [String] {
        let place = try #require(provider.baseURL)
        let served = TestServer("SABRE").map { "\($0.folder)/\(place.lastPathComponent)" }
        return try FileManager.default.contentsOfDirectory(
            atPath: subject == .sabre ? #require(served) : place.path)
    }
}
