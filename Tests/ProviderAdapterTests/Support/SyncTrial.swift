import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import Testing

/// A vault over a storage, with a connection that can be broken.
final class SyncTrial: Sendable {
    let provider: any FileProvider
    let connection: FaultyConnection
    let core: Core
    private let folder: URL

    /// - Parameter root: the directory that is the vault's root; paths of the other side are the provider's all the
    ///   same.
    init(_ provider: any FileProvider, root: ItemPath = .root, budget: SyncBudget = SyncBudget()) throws {
        self.provider = provider
        folder = FileManager.default.temporaryDirectory.appending(path: "sync-trial-\(UUID())")
        connection = FaultyConnection(ProviderAdapter(provider, root: root))
        let bookmark = try Bookmark(name: "Test", url: #require(URL(string: "https://example.org/")))
        core = Core(
            vault: try Vault(of: bookmark, in: LocalPath(folder.path)), connection: connection, budget: budget)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    // MARK: Commands

    func id(_ path: ItemPath) async throws -> LocalID { try #require(try await core.item(at: path)).localID }

    func make(_ path: ItemPath) async throws {
        let (name, parent) = try await place(path)
        _ = try await core.submit(.createFolder(name, in: parent))
    }

    func put(_ text: String, at path: ItemPath) async throws {
        let (name, parent) = try await place(path)
        _ = try await core.submit(.upload(ByteStream(Data(text.utf8)), as: name, in: parent))
    }

    func edit(_ path: ItemPath, _ text: String) async throws {
        _ = try await core.submit(.modify(id(path), ByteStream(Data(text.utf8))))
    }

    func move(_ path: ItemPath, to target: ItemPath) async throws {
        let (name, parent) = try await place(target)
        _ = try await core.submit(.move(id(path), to: parent, as: name))
    }

    func delete(_ path: ItemPath) async throws { _ = try await core.submit(.delete(id(path))) }

    private func place(_ path: ItemPath) async throws -> (ItemName, LocalID) {
        (try #require(path.lastComponent), try await id(path.parent ?? .root))
    }

    // MARK: The other side

    func write(_ path: ItemPath, _ text: String) async throws {
        try await provider.writeContents(path: path, contents: Data(text.utf8), overwrite: true)
    }

    func text(_ path: ItemPath) async throws -> String {
        String(decoding: try await provider.contents(path: path), as: UTF8.self)
    }

    func walked() async throws -> [String] {
        try await provider.recursiveListing(path: .root).collect().map(\.path.description).sorted()
    }

    /// The paths of the files on the server that have this text.
    func places(of text: String) async throws -> [String] {
        var places: [String] = []
        for file in try await provider.recursiveListing(path: .root).collect() where file.isRegularFile {
            if try await self.text(file.path) == text { places.append(file.path.description) }
        }
        return places
    }

    /// What is in the vault's recovery folder.
    func recovered() throws -> [String] {
        let recovery = core.vault.folder.description + "/recovery"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: recovery)) ?? []
        return names.compactMap { try? String(contentsOfFile: "\(recovery)/\($0)", encoding: .utf8) }.sorted()
    }

    // MARK: Synchronising

    func sync() async throws {
        await core.reconnect()
        // Wait for work that the server may still be doing, and for the retry after repeated interruptions: the fourth
        // pause is sixteen seconds.
        try await core.settle(waiting: .seconds(40))
        while try await !core.scan(budget: 1_000).isComplete {}
        try await core.settle()
        while try await !core.scan(budget: 1_000).isComplete {}
    }

    /// Answers the one issue there is.
    func resolve(_ kind: CloudCore.Issue.Kind, _ answer: CloudCore.Issue.Answer) async throws {
        let issues = try await core.issues()
        #expect(issues.map(\.id.kind) == [kind])
        for issue in issues { try await core.resolve(issue.id, with: answer) }
    }

    /// Synchronises, and expects that nothing is pending and that the vault has exactly what a fresh walk finds.
    func expectConverged(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await sync()
        let pending = try await core.syncRecords()
        #expect(pending.isEmpty, sourceLocation: sourceLocation)
        #expect(try await core.issues().isEmpty, sourceLocation: sourceLocation)
        let items = try await core.changes(since: .beginning)?.items ?? []
        let known = items.filter { !$0.isRemoved && $0.parentID != nil }
            .map { "\($0.path) \($0.isDirectory ? -1 : $0.size ?? -1) \($0.cloudStatus == .localOnly)" }
        let walked = try await provider.recursiveListing(path: .root).collect()
            .map { "\($0.path) \($0.isDirectory ? -1 : $0.size ?? -1) false" }
        #expect(known.sorted() == walked.sorted(), sourceLocation: sourceLocation)
    }
}
