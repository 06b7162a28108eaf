import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import Testing

/// A vault in a private folder, over any provider.
final class VaultOver: Sendable {
    let provider: any FileProvider
    let core: Core
    private let folder: URL

    /// - Parameter onWatching: called when watching the provider for changes has begun.
    init(
        _ provider: any FileProvider, budget: SyncBudget = SyncBudget(),
        onWatching: @escaping @Sendable () -> Void = {}
    ) throws {
        self.provider = provider
        folder = FileManager.default.temporaryDirectory.appending(path: "vault-over-\(UUID())")
        let bookmark = try Bookmark(name: "Test", url: #require(URL(string: "https://example.org/")))
        core = Core(
            vault: try Vault(of: bookmark, in: LocalPath(folder.path)),
            connection: TellingConnection(inner: ProviderAdapter(provider), onWatching: onWatching), budget: budget)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Lists until nothing is left to be listed.
    func scanAll() async throws { while try await !core.scan(budget: 1_000).isComplete {} }

    /// Fetches a file's contents.
    func keepCopy(of path: ItemPath) async throws -> LocalID {
        let item = try #require(try await core.item(at: path))
        _ = try await core.submit(.download(item.localID))
        try await core.settle()
        return item.localID
    }

    /// Whether the vault has exactly what a fresh walk finds.
    func isAsWalked() async throws -> Bool {
        let query = Query(.custom)
        core.start(query)
        for await notification in query where notification.state == .idle { break }
        let known = Set(query.queryResults.map { "\($0.path) \($0.type) \($0.size ?? -1)" })
        await core.stop(query)
        let walked = try await provider.recursiveListing(path: .root).collect().map {
            "\($0.path) \($0.type) \($0.size ?? -1)"
        }
        return known == Set(walked) && known.count == walked.count
    }
}

/// A folder of this machine that goes with the last reference to it.
final class LocalTree: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "local-tree-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func provider() throws -> LocalFileProvider { try LocalFileProvider(root: LocalPath(url.path)) }
}

/// A connection that says when watching has begun.
private struct TellingConnection: Connection {
    let inner: ProviderAdapter
    let onWatching: @Sendable () -> Void

    var isMounted: Bool { inner.isMounted }
    func traits() async throws -> ConnectionTraits { try await inner.traits() }
    func attributes(of path: ItemPath) async throws -> FileObject { try await inner.attributes(of: path) }
    func listing(of path: ItemPath) -> DirectoryListing { inner.listing(of: path) }

    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        await inner.perform(operation, counting: progress, for: target)
    }

    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? {
        let signals = try await inner.signals()
        onWatching()
        return signals
    }
}
