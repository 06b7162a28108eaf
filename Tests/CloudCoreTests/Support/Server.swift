import FileProviding
import Foundation
import MemoryFiles
import ProviderAdapter
import Testing

@testable import CloudCore

/// A server in memory with a core that looks at it, and a count of what is asked.
final class Server: Sendable {
    let scratch: Scratch
    let provider: MemoryFileProvider
    let connection: CountingConnection
    let core: Core
    private let clock: @Sendable () -> FileTime

    /// - Parameters:
    ///   - provider: what the server has, which several of these may share; by default nothing.
    ///   - clock: what time the vault takes it to be.
    ///   - sleeper: what the core waits by.
    ///   - rules: what becomes of copies.
    init(
        propagates: Bool = true, hasFileIDs: Bool = true, tells: Bool = true, pageSize: Int = 1_000,
        provider: MemoryFileProvider? = nil, clock: @escaping @Sendable () -> FileTime = { FileTime(Date()) },
        sleeper: any Clock<Duration> = ContinuousClock(), rules: CopyRules = CopyRules()
    ) throws {
        scratch = try Scratch()
        self.clock = clock
        let provider = provider ?? MemoryFileProvider(pageSize: pageSize)
        self.provider = provider
        connection = CountingConnection(
            inner: ProviderAdapter(provider), propagates: propagates, hasFileIDs: hasFileIDs, tells: tells)
        let bookmark = try Bookmark(name: "Memory", url: #require(URL(string: "mem:test/")))
        core = Core(
            vault: try Vault(of: bookmark, in: scratch.folder, clock: clock), connection: connection, rules: rules,
            clock: sleeper)
    }

    private init(_ other: Server) throws {
        (scratch, provider, connection, clock) = (other.scratch, other.provider, other.connection, other.clock)
        core = Core(
            vault: try Vault(of: other.core.vault.bookmark, in: scratch.folder, clock: clock), connection: connection)
    }

    /// The same vault in what might be another run of the program. The first one's core is closed.
    func reopened() async throws -> Server {
        try await core.close()
        return try Server(self)
    }

    func write(_ path: ItemPath, _ text: String = "x") async throws {
        try await provider.writeContents(path: path, contents: Data(text.utf8), overwrite: true)
    }

    func folder(_ path: ItemPath) async throws { try await provider.createDirectory(path: path, createsParents: true) }

    /// Has the vault list every directory once more.
    func scanned() async throws {
        while try await !core.scan(budget: 100).isComplete {}
    }

    /// Every path that the vault knows.
    func known() async throws -> [String] {
        try await core.vault.database.read { reader in
            var paths: [String] = []
            try reader.forEachItem(in: .vault, where: .all, sorted: nil) { paths.append($0.path.description) }
            return paths.sorted()
        }
    }

    /// Every path that the server has.
    func walked() async throws -> [String] {
        try await provider.recursiveListing(path: .root).collect().map(\.path.description).sorted()
    }
}
