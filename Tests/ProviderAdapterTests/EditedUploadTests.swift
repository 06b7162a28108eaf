import CloudCore
import FileProviderTesting
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// Uploads of a vault that break off, and whose contents are edited before the next attempt.
@Suite(.enabled(if: TestServer("NEXTCLOUD") != nil, "needs Scripts/test-servers"))
struct EditedUploadTests {
    private static let size = 32 << 20

    @Test func `the parts of contents that have been edited are discarded, and the new ones arrive`() async throws {
        let server = try #require(TestServer("NEXTCLOUD"))
        let provider = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: server.url), credential: TestServer.credential)
        let adapter = ProviderAdapter(provider)
        let path = ItemPath.root.appending(try ItemName(validating: "edited-\(UUID())"))
        let folder = try LocalTree()
        let mark = Data(UUID().uuidString.utf8)
        try (mark + Data(count: Self.size)).write(to: folder.url.appending(path: "old"))
        try Data(repeating: 2, count: Self.size).write(to: folder.url.appending(path: "new"))

        let attempt = Locked<Task<Event.Outcome?, Never>?>(nil)
        let journal = folder.url.appending(path: "journal").path
        let isFoundAfterAKill = Locked<Bool?>(nil)
        let first = Task {
            await send("old", of: folder, to: path, by: adapter, attempt: 1) { progress in
                if progress.completed > 0 {
                    isFoundAfterAKill.withLock { $0 = $0 ?? FileManager.default.fileExists(atPath: journal) }
                }
                if progress.completed >= 11 << 20 { attempt.withLock { $0 }?.cancel() }
            }
        }
        attempt.withLock { $0 = first }
        guard case .failed? = await first.value else { Issue.record("it has not broken off"); return }
        #expect(isFoundAfterAKill.withLock { $0 } == true, "the server has parts that nobody knows of")
        #expect(try state(in: folder) != nil)
        #expect(try parts(beginningWith: mark) > 0)

        guard case .done? = await send("new", of: folder, to: path, by: adapter, attempt: 2, { _ in }) else {
            Issue.record("it has not arrived")
            return
        }
        #expect(try parts(beginningWith: mark) == 0)
        let contents = try await provider.contents(path: path)
        #expect(contents == Data(repeating: 2, count: Self.size))
        try await provider.removeItem(path: path)
    }

    /// The number of parts on the server that begin with this.
    private func parts(beginningWith mark: Data) throws -> Int {
        let root = try #require(ProcessInfo.processInfo.environment["FP_TEST_NEXTCLOUD_ROOT"])
        let files = FileManager.default.enumerator(atPath: "\(root)/uploads")?.compactMap { $0 as? String } ?? []
        return files.count { file in
            let handle = FileHandle(forReadingAtPath: "\(root)/uploads/\(file)")
            defer { try? handle?.close() }
            return (try? handle?.read(upToCount: mark.count)) == mark
        }
    }

    private func state(in folder: LocalTree) throws -> Any? {
        let journal = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.url.appending(path: "journal")))
        return (journal as? [String: Any])?["state"]
    }

    private func send(
        _ name: String, of folder: LocalTree, to path: ItemPath, by adapter: ProviderAdapter, attempt: Int,
        _ note: @escaping @Sendable (OperationProgress.State) -> Void
    ) async -> Event.Outcome? {
        let outcome = Locked<Event.Outcome?>(nil)
        let address = EventTarget.Address(
            eventID: EventID(rawValue: "upload"), attempt: attempt, handler: EventHandlerIdentifier(rawValue: "test"))
        await adapter.perform(
            .upload(
                ConnectionOperation.Upload(
                    file: LocalPath(folder.url.appending(path: name).path), path: path, precondition: .absent,
                    journal: LocalPath(folder.url.appending(path: "journal").path))),
            counting: OperationProgress(onChange: note),
            for: EventTarget(address) { event in outcome.withLock { $0 = event.outcome } })
        return outcome.withLock { $0 }
    }
}
