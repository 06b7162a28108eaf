import CloudCore
import FileProviderTesting
import FileProviding
import Foundation
import MemoryFiles
import ProviderAdapter
import Testing

/// Outcomes that come after the connection has returned.
@Suite struct LateOutcomeTests {
    @Test(.timeLimit(.minutes(5)))
    func `what only waits for its outcome lets others begin`() async throws {
        let scratch = try Scratch()
        let connection = LateConnection(inner: ProviderAdapter(MemoryFileProvider()), batch: 3)
        let bookmark = try Bookmark(name: "Late", url: #require(URL(string: "https://example.org/")))
        let core = Core(
            vault: try Vault(of: bookmark, in: scratch.folder), connection: connection,
            budget: SyncBudget(total: 1, transfers: 1, uploads: 1))
        for name in ["a", "b", "c"] {
            _ = try await core.submit(
                .upload(ByteStream(Data(name.utf8)), as: ItemName(validating: name), in: .root))
        }
        try await core.settle()
        #expect(try await core.syncRecords().isEmpty)
        #expect(connection.mostAtOnce == 1)
    }
}

/// Answers when as many operations are waiting as it was told.
private final class LateConnection: CloudCore.Connection {
    private struct State {
        var held: [(operation: ConnectionOperation, progress: OperationProgress, target: EventTarget)] = []
        var asked = 0
        var mostAtOnce = 0
    }

    private let inner: ProviderAdapter
    private let batch: Int
    private let state = Locked(State())

    init(inner: ProviderAdapter, batch: Int) {
        self.inner = inner
        self.batch = batch
    }

    /// How many operations it was asked for before it had returned from the others.
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func traits() async throws -> ConnectionTraits { try await inner.traits() }
    func attributes(of path: ItemPath) async throws -> FileObject { try await inner.attributes(of: path) }
    func listing(of path: ItemPath) -> DirectoryListing { inner.listing(of: path) }
    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? { nil }

    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        let all = state.withLock { state in
            state.asked += 1
            state.mostAtOnce = max(state.mostAtOnce, state.asked)
            state.held.append((operation, progress, target))
            return state.held.count == batch ? state.held : []
        }
        await Task.yield()
        for (operation, progress, target) in all {
            await inner.perform(operation, counting: progress, for: target)
        }
        state.withLock { $0.asked -= 1 }
    }
}
