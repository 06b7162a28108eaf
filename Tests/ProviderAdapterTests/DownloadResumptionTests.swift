import CloudCore
import FileProviderTesting
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// Downloads of a vault that break off, and what the next attempt makes of what has arrived.
@Suite(.enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers"))
struct DownloadResumptionTests {
    private static let size = 24 << 20

    @Test(arguments: [false, true])
    func `a download goes on where it broke off, unless the file is another one by then`(isChanged: Bool) async throws {
        let server = try #require(TestServer("APACHE"))
        let direct = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: server.url), credential: TestServer.credential)
        let path = ItemPath.root.appending(try ItemName(validating: "arriving-\(UUID())"))
        try await direct.writeContents(path: path, contents: contents(1))
        let proxy = try FaultProxy(to: server.url.port ?? 80) { _ in
            FaultProxy.Faults(toClient: [.trickle(bytesPerSecond: 40 << 20)])
        }
        defer { proxy.stop() }
        let adapter = ProviderAdapter(
            try WebDAVFileProvider(
                configuration: WebDAVConfiguration(url: proxy.url(server.url)), credential: TestServer.credential))
        let folder = try LocalTree()
        let arrival = folder.url.appending(path: "part")

        let attempt = Locked<Task<Event.Outcome?, Never>?>(nil)
        let first = Task {
            await download(path, from: adapter, into: folder, attempt: 1) { progress in
                if progress.completed >= 8 << 20 { attempt.withLock { $0 }?.cancel() }
            }
        }
        attempt.withLock { $0 = first }
        guard case .failed? = await first.value else { Issue.record("it has not broken off"); return }
        let arrived = try Data(contentsOf: arrival).count
        #expect(arrived >= 8 << 20 && arrived < Self.size)

        if isChanged { try await direct.writeContents(path: path, contents: contents(2), overwrite: true) }
        // What the first connection still carries does not count.
        proxy.cutConnections()
        let before = proxy.traffic.bytesToClient
        guard case .done? = await download(path, from: adapter, into: folder, attempt: 2, { _ in }) else {
            Issue.record("it has not arrived")
            return
        }
        #expect(try Data(contentsOf: arrival) == contents(isChanged ? 2 : 1))
        let fetched = proxy.traffic.bytesToClient - before
        #expect(isChanged ? fetched >= Self.size : fetched < Self.size - arrived + (1 << 20))
        try await direct.removeItem(path: path)
    }

    private func contents(_ number: UInt8) -> Data {
        Data((0..<Self.size / 256).flatMap { row in (0..<256).map { UInt8(truncatingIfNeeded: row &* $0) ^ number } })
    }

    private func download(
        _ path: ItemPath, from adapter: ProviderAdapter, into folder: LocalTree, attempt: Int,
        _ note: @escaping @Sendable (OperationProgress.State) -> Void
    ) async -> Event.Outcome? {
        let outcome = Locked<Event.Outcome?>(nil)
        let address = EventTarget.Address(
            eventID: EventID(rawValue: "download"), attempt: attempt, handler: EventHandlerIdentifier(rawValue: "test"))
        await adapter.perform(
            .download(
                path, to: LocalPath(folder.url.appending(path: "part").path),
                journal: LocalPath(folder.url.appending(path: "journal").path)),
            counting: OperationProgress(onChange: note),
            for: EventTarget(address) { event in outcome.withLock { $0 = event.outcome } })
        return outcome.withLock { $0 }
    }
}
