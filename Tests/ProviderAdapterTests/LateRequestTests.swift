import CloudCore
import FileProviderTesting
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// A server does what a killed client has asked of it, and may do so late: after the next start of the program, and
/// after what that has sent.
@Suite struct LateRequestTests {
    /// When the server comes to do it.
    enum Moment: CaseIterable {
        case beforeRestart, afterSameEdit, afterNextEdit
        /// The next edit makes the contents what they were before.
        case afterUndoneEdit
    }

    /// Servers, and by what requests they get contents.
    private static let writers = [(SyncSubject.apache, "PUT "), (.sabre, "MOVE "), (.ownCloud, "PUT ")]
        .filter { $0.0.server != nil }
    private static let subjects = writers.map(\.0)

    @Test(arguments: writers, Moment.allCases)
    func `an edit that a server takes late takes no later one back`(
        writer: (subject: SyncSubject, request: String), moment: Moment
    ) async throws {
        try await writer.subject.withFolder { provider in
            try await provider.writeContents(path: "/file", contents: Data("old".utf8))
            let trial = try LateTrial(writer.subject, provider, holding: writer.request)
            try await trial.kill { try await $0.submit(.modify(trial.id("/file", $0), Self.stream("first"))) }
            let last = moment == .afterUndoneEdit ? "old" : "second"
            try await trial.restart { core in
                if moment == .beforeRestart { await trial.release() }
                try await core.settle()
                if moment == .afterSameEdit { await trial.release() }
                _ = try await core.submit(.modify(trial.id("/file", core), Self.stream(last)))
                try await core.settle()
                await trial.release()
            }
            #expect(String(decoding: try await provider.contents(path: "/file"), as: UTF8.self) == last)
        }
    }

    @Test(arguments: writers, Moment.allCases)
    func `a new file that a server takes late takes no later edit back`(
        writer: (subject: SyncSubject, request: String), moment: Moment
    ) async throws {
        try await writer.subject.withFolder { provider in
            let trial = try LateTrial(writer.subject, provider, holding: writer.request)
            let name = try ItemName(validating: "file")
            try await trial.kill { try await $0.submit(.upload(Self.stream("first"), as: name, in: .root)) }
            try await trial.restart { core in
                if moment == .beforeRestart { await trial.release() }
                try await core.settle()
                if moment == .afterSameEdit { await trial.release() }
                _ = try await core.submit(.modify(trial.id("/file", core), Self.stream("second")))
                try await core.settle()
                await trial.release()
            }
            #expect(String(decoding: try await provider.contents(path: "/file"), as: UTF8.self) == "second")
        }
    }

    @Test(arguments: subjects)
    func `a removal that a server does late does not take what has that name by then`(subject: SyncSubject) async throws
    {
        try await subject.withFolder { provider in
            try await provider.writeContents(path: "/file", contents: Data("old".utf8))
            let trial = try LateTrial(subject, provider, holding: "DELETE ")
            try await trial.kill { try await $0.submit(.delete(trial.id("/file", $0))) }
            try await trial.restart { core in
                try await core.settle()
                let name = try ItemName(validating: "file")
                _ = try await core.submit(.upload(Self.stream("new"), as: name, in: .root))
                try await core.settle()
                await trial.release()
            }
            #expect(String(decoding: try await provider.contents(path: "/file"), as: UTF8.self) == "new")
        }
    }

    private static func stream(_ text: String) -> ByteStream { ByteStream(Data(text.utf8)) }
}

/// A vault whose first connection ends while one of its requests is on its way.
private final class LateTrial: Sendable {
    private let provider: any FileProvider
    private let late: any FileProvider
    private let proxy: FaultProxy
    private let gate = FaultProxy.Gate()
    private let vaults: LocalTree
    private let bookmark: Bookmark

    /// - Parameter request: how the request begins that the server gets late.
    init(_ subject: SyncSubject, _ provider: any FileProvider, holding request: String) throws {
        let url = try #require(provider.baseURL)
        self.provider = provider
        proxy = try FaultProxy(to: #require(url.port)) { [gate] _ in
            FaultProxy.Faults(toServer: [.hold(request, until: gate)])
        }
        late = try subject.provider(of: proxy.url(url))
        vaults = try LocalTree()
        bookmark = try Bookmark(name: "Test", url: #require(URL(string: "https://example.org/")))
    }

    func id(_ path: ItemPath, _ core: Core) async throws -> LocalID {
        try #require(try await core.item(at: path)).localID
    }

    /// Gives a command, and ends when its request is on its way: nothing of the server's answer arrives.
    func kill(_ command: @escaping @Sendable (Core) async throws -> PendingCommand) async throws {
        let core = try core(over: late)
        while try await !core.scan(budget: 1_000).isComplete {}
        _ = try await command(core)
        let settling = Task { try await core.settle() }
        await gate.whenReached()
        proxy.stop()
        try await settling.value
        try await core.close()
    }

    /// Lets the server have the request, and waits until it is done.
    func release() async {
        gate.open()
        await proxy.whenEnded()
    }

    /// Works in the vault as the next run of the program, and expects that all is well and as the server has it.
    func restart(_ work: (Core) async throws -> Void) async throws {
        let core = try core(over: provider)
        try await work(core)
        while try await !core.scan(budget: 1_000).isComplete {}
        try await core.settle()
        while try await !core.scan(budget: 1_000).isComplete {}
        #expect(try await core.syncRecords().isEmpty)
        #expect(try await core.issues().isEmpty)
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["file"])
        #expect(try await core.item(at: "/file")?.cloudStatus == .localCopy)
        try await core.close()
    }

    private func core(over provider: any FileProvider) throws -> Core {
        Core(vault: try Vault(of: bookmark, in: LocalPath(vaults.url.path)), connection: ProviderAdapter(provider))
    }
}
