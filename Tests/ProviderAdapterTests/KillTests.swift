import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// A program that works in a vault is killed at random points, and what it left is looked at (scenario 2).
///
/// Eight points over a local folder and one over each server; with `FP_TEST_CAMPAIGN=full` two hundred each. Another
/// seed by `FP_TEST_SEED`, another count by `FP_TEST_POINTS`.
@Suite struct KillTests {
    private static func points(_ subject: SyncSubject) -> Int {
        Int(TestServer.variable("POINTS")) ?? (Campaign.isFull ? 200 : subject == .local ? 8 : 1)
    }

    private static let subjects = SyncSubject.running.filter { [.local, .apache, .sabre, .sshd].contains($0) }
    private static let bookmarkID = UUID()
    private static let seed = UInt64(TestServer.variable("SEED")) ?? 1

    @Test(arguments: subjects)
    func `killed at any point, every edit is somewhere, once, and the vault is as a fresh walk`(
        subject: SyncSubject
    ) async throws {
        for point in 0..<Self.points(subject) {
            try await subject.withFolder { try await kill(at: point, over: $0) }
        }
    }

    private func kill(at point: Int, over provider: any FileProvider) async throws {
        var generator = SeededGenerator(seed: Self.seed &+ UInt64(point))
        let vaults = try LocalTree()
        let victim = VictimProgram(vaults: vaults, bookmarkID: Self.bookmarkID, server: provider)
        var accepted: Set<String> = []
        var over: Set<String> = []
        var said: [String] = []
        // Several deaths one after the other. At every other point nothing is looked at in between: each start then has
        // to deal with what the one before left.
        let checksEach = point.isMultiple(of: 2)
        for death in 0..<3 {
            let lines = try await victim.run(
                "\(generator.next())", linesBeforeDeath: .random(in: 0..<40, using: &generator),
                pause: .random(in: 0..<8_000, using: &generator))
            accepted.formUnion(VictimProgram.texts(of: "accepted", in: lines))
            over.formUnion(VictimProgram.texts(of: "over", in: lines))
            said += lines + ["killed"]
            guard checksEach || death == 2 else { continue }
            try await untilQuiet(provider)
            try await check(
                vaults: vaults, server: provider, edits: accepted.subtracting(over),
                "seed \(Self.seed), point \(point), death \(death): \(said.joined(separator: ", "))")
        }
    }

    /// Waits until the server has done what it had been asked when the program was killed, as far as can be seen. What
    /// a late request can do is a test of its own (`LateRequestTests`); the full campaign takes it as it comes.
    private func untilQuiet(_ provider: any FileProvider) async throws {
        guard provider is any FileProviderBasicRemote, !Campaign.isFull else { return }
        var (seen, repeats): ([FileObject], Int) = ([], 0)
        while repeats < 10 {
            try await Task.sleep(for: .milliseconds(100))
            do {
                let now = try await provider.recursiveListing(path: .root).collect().sorted { $0.path < $1.path }
                repeats = now == seen ? repeats + 1 : 0
                seen = now
            } catch  where error.isNoSuchFile {
                // It has just been moved or removed.
                repeats = 0
            }
        }
    }

    /// Keeps what is on both sides.
    private func answer(_ issue: CloudCore.Issue, of core: Core) async throws {
        let wanted: [CloudCore.Issue.Answer] = [.keepBoth, .retry, .takeServer, .acknowledge, .cancel]
        guard let answer = wanted.first(where: issue.choices.map(\.answer).contains) else { return }
        try await core.resolve(issue.id, with: answer)
    }

    private func check(
        vaults: LocalTree, server: any FileProvider, edits: Set<String>, _ comment: Comment
    ) async throws {
        // What is sent a second time now is counted as well.
        let parts = try #require(server as? any FileProvider & FileProviderPartialWrite)
        let provider = VersionCounter(parts, log: LocalPath(VictimProgram.log(vaults)))
        let bookmark = try Bookmark(
            id: Self.bookmarkID, name: "Victim", url: #require(URL(string: "https://example.org/")))
        let core = Core(
            vault: try Vault(of: bookmark, in: LocalPath(vaults.url.path)), connection: ProviderAdapter(provider))
        // What the server may still have been at is tried again a little later.
        for _ in 0..<100 {
            try await core.settle()
            while try await !core.scan(budget: 1_000).isComplete {}
            if try await core.syncRecords().isEmpty { break }
            for issue in try await core.issues() { try await answer(issue, of: core) }
            try await Task.sleep(for: .milliseconds(100))
        }
        let pending = try await core.syncRecords()
        #expect(pending.isEmpty, comment)
        let items = try await core.changes(since: .beginning)?.items ?? []
        let known = items.filter { !$0.isRemoved && $0.parentID != nil }.map {
            "\($0.path) \($0.type) \($0.size ?? -1)"
        }
        let walked = try await provider.recursiveListing(path: .root).collect()
        #expect(known.sorted() == walked.map { "\($0.path) \($0.type) \($0.size ?? -1)" }.sorted(), comment)
        #expect(!walked.contains { TemporaryName.isOurs($0.itemName) }, comment)

        var found: [String: Int] = [:]
        for file in walked where file.isRegularFile {
            let head = try await provider.read(path: file.path, range: .range(0..<36), in: OperationContext()).collect()
            found[String(decoding: head, as: UTF8.self), default: 0] += 1
        }
        let recovered = try recovered(in: core.vault)
        #expect(edits.filter { found[$0] == nil && !recovered.contains($0) } == [], comment)
        #expect(found.filter { $0.value > 1 } == [:], comment)
        #expect(!FileManager.default.fileExists(atPath: VictimProgram.log(vaults)), comment)
        try await core.close()
    }

    private func recovered(in vault: Vault) throws -> Set<String> {
        let folder = vault.folder.description + "/recovery"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
                .map { String(decoding: $0.prefix(36), as: UTF8.self) })
    }
}
