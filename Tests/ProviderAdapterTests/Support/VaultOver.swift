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

    init(_ provider: any FileProvider) throws {
        self.provider = provider
        folder = FileManager.default.temporaryDirectory.appending(path: "vault-over-\(UUID())")
        let bookmark = try Bookmark(name: "Test", url: #require(URL(string: "https://example.org/")))
        core = Core(
            vault: try Vault(of: bookmark, in: LocalPath(folder.path)), connection: ProviderAdapter(provider))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Lists until nothing is left to be listed.
    func scanAll() async throws { while try await !core.scan(budget: 1_000).isComplete {} }

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
