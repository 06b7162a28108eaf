import CloudCore
import FileProviders
import Foundation
import Glibc
import ProviderAdapter
import TestSupport
import Testing

/// A program that works in a vault is killed at random points, and what it left is looked at (scenario 2).
///
/// Eight points; with `FP_TEST_CAMPAIGN=full` two hundred. Another seed by `FP_TEST_SEED`.
@Suite struct KillTests {
    private static let points = TestServer.variable("CAMPAIGN") == "full" ? 200 : 8
    private static let bookmarkID = UUID()
    private static let seed = UInt64(TestServer.variable("SEED")) ?? 1

    @Test func `killed at any point, every edit is somewhere, once, and the vault is as a fresh walk`() async throws {
        for point in 0..<Self.points {
            var generator = SeededGenerator(seed: Self.seed &+ UInt64(point))
            let tree = try LocalTree()
            let vaults = try LocalTree()
            defer { try? FileManager.default.removeItem(atPath: tree.url.path + ".log") }
            var accepted: Set<String> = []
            var over: Set<String> = []
            // Several deaths one after the other, as each start has to deal with what the one before left.
            for death in 0..<3 {
                let lines = try run(
                    vaults: vaults, server: tree, seed: generator.next(),
                    linesBeforeDeath: .random(in: 0..<40, using: &generator),
                    pause: .random(in: 0..<8_000, using: &generator))
                accepted.formUnion(lines.texts(of: "accepted"))
                over.formUnion(lines.texts(of: "over"))
                try await check(
                    vaults: vaults, server: tree, edits: accepted.subtracting(over),
                    "seed \(Self.seed), point \(point), death \(death)")
            }
        }
    }

    /// Runs the program until it has printed so many lines, and so many microseconds longer.
    private func run(
        vaults: LocalTree, server: LocalTree, seed: UInt64, linesBeforeDeath: Int, pause: UInt32
    ) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.program
        process.arguments = [vaults.url.path, Self.bookmarkID.uuidString, server.url.path, "\(seed)"]
        process.standardOutput = output
        try process.run()
        var text = Data()
        while text.count(where: { $0 == UInt8(ascii: "\n") }) < linesBeforeDeath {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        usleep(pause)
        kill(process.processIdentifier, SIGKILL)
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // What was accepted counts once its whole line is there.
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func check(
        vaults: LocalTree, server: LocalTree, edits: Set<String>, _ comment: Comment
    ) async throws {
        let provider = try server.provider()
        let bookmark = try Bookmark(
            id: Self.bookmarkID, name: "Victim", url: #require(URL(string: "https://example.org/")))
        let core = Core(
            vault: try Vault(of: bookmark, in: LocalPath(vaults.url.path)), connection: ProviderAdapter(provider))
        try await core.settle()
        while try await !core.scan(budget: 1_000).isComplete {}
        try await core.settle()
        while try await !core.scan(budget: 1_000).isComplete {}
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
        #expect(!FileManager.default.fileExists(atPath: server.url.path + ".log"), comment)
        try await core.close()
    }

    private func recovered(in vault: Vault) throws -> Set<String> {
        let folder = vault.folder.description + "/recovery"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
                .map { String(decoding: $0.prefix(36), as: UTF8.self) })
    }

    /// The program's file, beside the test bundle.
    private static let program: URL = {
        let bundle = URL(
            fileURLWithPath: CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0])
        return bundle.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("SyncVictim")
    }()
}

extension [String] {
    fileprivate func texts(of kind: String) -> [String] {
        compactMap { $0.hasPrefix(kind + " ") ? String($0.dropFirst(kind.count + 1)) : nil }
    }
}
