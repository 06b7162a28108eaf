import FileProviderTesting
import FileProviders
import Foundation
import Testing

@Suite("Outages") struct OutageTests {
    @Test(
        "a server that is gone ends the transfer with one error, and the same plan goes on when it is back",
        .enabled(if: Place.names.contains("APACHE"), "needs Scripts/test-servers"),
        arguments: [FaultProxy.Fault.reset(after: 0), .stall(after: 0)])
    func serverGone(fault: FaultProxy.Fault) async throws {
        let desk = try Desk()
        for index in 0..<1000 { try desk.fill("tree/d\(index % 10)/f\(index)", 100, seed: UInt64(index)) }
        let isGone = Locked(false)
        let made = Locked<FaultProxy?>(nil)
        let place = try await Place("APACHE", deadlines: HTTPDeadlines(idle: 0.5, work: 60)) { port in
            let proxy = try FaultProxy(to: port) { _ in
                FaultProxy.Faults(toServer: isGone.withLock { $0 } ? [fault] : [])
            }
            made.withLock { $0 = proxy }
            return proxy
        }
        let proxy = try #require(made.withLock { $0 })
        let there = TransferEndpoint(place.provider, try place.folder.appending("tree"))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree")], to: there, options: impatient())
        var copied = 0
        let cut = try await Transfer(plan, in: desk.surroundings).run { event in
            guard case .ended(let receipt) = event, receipt.outcome == .copied else { return }
            copied += 1
            guard copied == 100 else { return }
            isGone.withLock { $0 = true }
            proxy.cutConnections()
        }
        #expect(cut.isCutShort)
        #expect(cut.failures.count == 1, "\(cut.failures.compactMap(\.error))")
        #expect((100..<1000).contains(cut.copied))
        #expect(try desk.journals().count == 1)

        isGone.withLock { $0 = false }
        let rest = try await Transfer(plan, in: desk.surroundings).run()
        #expect(rest.isComplete && !rest.isCutShort, "\(rest.failures.compactMap(\.error))")
        for index in 0..<1000 {
            let name = "tree/d\(index % 10)/f\(index)"
            #expect(try Data(contentsOf: place.root.appendingPathComponent(name)) == desk.read(name))
        }
        #expect(try place.strays().isEmpty)
        #expect(try desk.journals().isEmpty)
    }

    @Test("a file whose upload always breaks does not keep the others from being copied")
    func oneFileBreaks() async throws {
        let desk = try Desk()
        for name in ["a", "bad", "c", "d"] { try desk.fill("tree/\(name)", 100) }
        // No honest server hangs up over a name.
        let server = try ScriptedResponder { request in
            switch request.method {
            case "PUT": request.target.hasSuffix("bad") ? ScriptedResponder.Script([.close]) : .reply(201)
            case "MKCOL": .reply(201)
            case "OPTIONS":
                .reply(200, headers: [("DAV", "1,2,<http://apache.org/dav/propset/fs/1>"), ("Allow", "PUT")])
            default: .reply(404)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree")], to: TransferEndpoint(provider, "tree"),
            options: impatient { $0.concurrency = 1 })
        let report = try await Transfer(plan, in: desk.surroundings).run()
        #expect(!report.isCutShort)
        #expect(report.copied == 3)
        #expect(report.failures.map(\.source) == [try ItemPath(validating: "tree/bad")])
    }
}
