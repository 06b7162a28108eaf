import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// Access that ends in the middle of the work, over sabre/dav behind a server that sells tokens.
@Suite(.enabled(if: TestServer("SABRE") != nil, "Scripts/test-servers run …"))
struct TokenScenarioTests {
    private static let size = 20 << 20

    @Test("8: a token ends in mid-transfer while two cores renew it; 503 while renewing does not log out")
    func tokenEnds() async throws {
        let server = try #require(TestServer("SABRE"))
        let gate = try TokenGate(to: #require(server.url.port))
        try await SyncSubject.sabre.withFolder { plain in
            for folder in ["/a", "/b"] as [ItemPath] { try await plain.createDirectory(path: folder) }
            let base = try #require(plain.baseURL)
            let url = try #require(URL(string: base.path(percentEncoded: true), relativeTo: gate.url)).absoluteURL
            let provider = try WebDAVFileProvider(
                configuration: WebDAVConfiguration(url: url), credential: gate.credential)
            let trials = [
                try SyncTrial(provider, root: "/a"), try SyncTrial(provider.copy(), root: "/b"),
            ]
            for trial in trials { try await trial.sync() }

            // The parts of each file come behind several requests that look; some are let in, the rest are not.
            for trial in trials {
                _ = try await trial.core.submit(
                    .upload(ByteStream(Data(count: Self.size)), as: ItemName(validating: "large"), in: .root))
            }
            gate.expire(after: 9, isInTrouble: true)
            try await settle(trials)
            let troubles = gate.renewals
            #expect(!troubles.isEmpty && troubles.allSatisfy { $0 == 503 })
            for trial in trials {
                #expect(trial.core.connectionStatus != .unauthenticated)
                #expect(try await trial.core.issues().isEmpty)
            }
            #expect(trials.contains { $0.core.connectionStatus == .offline })
            gate.expire(after: 0)
            await reconnect(trials)
            #expect(gate.renewals == troubles + [200])

            // Once more, with nothing in the way: nobody notices.
            gate.expire(after: 2)
            try await settle(trials)
            #expect(gate.renewals == troubles + [200, 200])
            #expect(provider.credential == gate.credential)
            for (trial, folder) in zip(trials, ["/a", "/b"] as [ItemPath]) {
                try await trial.sync()
                #expect(trial.core.connectionStatus == .online)
                #expect(try await trial.core.syncRecords().isEmpty)
                #expect(try await trial.core.issues().isEmpty)
                let names = try await plain.contentsOfDirectory(path: folder).map { "\($0.name) \($0.size ?? -1)" }
                #expect(names == ["large \(Self.size)"])
            }
        }
    }

    private func reconnect(_ trials: [SyncTrial]) async {
        await withTaskGroup(of: Void.self) { group in
            for trial in trials { group.addTask { await trial.core.reconnect() } }
        }
    }

    private func settle(_ trials: [SyncTrial]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for trial in trials { group.addTask { try await trial.core.settle() } }
            try await group.waitForAll()
        }
    }
}
