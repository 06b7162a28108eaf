import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

@Suite("Overload and odd names") struct OverloadTests {
    @Test("a file that is turned away with 503 is tried again, and arrives once")
    func turnedAway() async throws {
        let desk = try Desk()
        let contents = try desk.fill("f", 5000)
        let refusals = Locked(2)
        // No honest server is overloaded on demand.
        let server = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS":
                return .reply(200, headers: [("DAV", "<http://apache.org/dav/propset/fs/1>"), ("Allow", "PUT")])
            case "PUT":
                let isRefused = refusals.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isRefused ? .reply(503, headers: [("Retry-After", "0")]) : .reply(201)
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")], to: TransferEndpoint(provider, "f"), options: impatient())
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.isComplete, "\(report.failures)")
        let puts = server.requests.filter { $0.method == "PUT" }
        #expect(puts.count == 3)
        #expect(puts.allSatisfy { $0.body == contents })
    }

    @Test("a server that stays overloaded is given up, and the next run can go on")
    func staysOverloaded() async throws {
        let desk = try Desk()
        try desk.fill("f", 100)
        let server = try ScriptedResponder { request in
            switch request.method {
            case "GET", "PROPFIND": .reply(404)
            case "OPTIONS": .reply(200, headers: [("DAV", "1")])
            default: .reply(503)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let options = impatient { $0.retries.perFile = 2 }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")], to: TransferEndpoint(provider, "f"), options: options)
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.failures.count == 1)
        #expect(server.requests.filter { $0.method == "PUT" }.count == 3)
        #expect(try desk.journals().count == 1)
    }

    @Test(
        "a server that answers so many requests a minute is waited for as it asks, and every file arrives",
        .enabled(if: Place.names.contains("NGINX"), "needs Scripts/test-servers"))
    func limited() async throws {
        let files = 5
        let desk = try Desk()
        // Of itself the provider waits for no second.
        let place = try await Place("NGINX_LIMITED", retry: RetryPolicy(within: 0.1))
        for index in 0..<files {
            try desk.fill("f\(index)", 100, seed: UInt64(index)).write(
                to: place.root.appendingPathComponent("f\(index)"))
        }
        let options = impatient {
            $0.concurrency = 1
            $0.retries.inTransfer = 0
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(place.provider, place.folder)], to: TransferEndpoint(desk.provider, "copy"),
            options: options)
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.isComplete && report.copied == files, "\(report.failures)")
        for index in 0..<files { #expect(try desk.read("copy/f\(index)") == desk.read("f\(index)")) }
        let refused = try TestServer.requests(of: "NGINX", about: place.root.lastPathComponent)
            .count { $0.contains(" 429 ") }
        #expect((1...2 * files).contains(refused), "\(refused)")
    }

    @Test(
        "names that the server cannot hold are refused, or mapped there and back",
        .enabled(if: Place.names.contains("NGINX"), "needs Scripts/test-servers"))
    func names() async throws {
        let desk = try Desk()
        let place = try await Place("NGINX")
        for name in ["tree/.hidden/x", "tree/plain", "tree/.dot"] { try desk.fill(name, 50, seed: 3) }
        let there = TransferEndpoint(place.provider, try place.folder.appending("tree"))
        func copy(_ source: TransferEndpoint, _ target: TransferEndpoint, _ rule: TransferOptions.NameRule) async throws
            -> TransferReport
        {
            var reports: [TransferReport] = []
            for isDry in [true, false] {
                let options = impatient {
                    $0.names = rule
                    $0.dryRun = isDry
                }
                let plan = try await TransferPlan(from: [source], to: target, options: options)
                reports.append(try await Transfer(plan).run())
            }
            // A dry run foresees it.
            #expect(Set(reports[0].failures.map(\.target)) == Set(reports[1].failures.map(\.target)))
            #expect(reports[0].copied == reports[1].copied)
            return reports[1]
        }
        let tree = TransferEndpoint(desk.provider, "tree")
        #expect(try await copy(tree, there, .refuse).failures.count == 2)
        let mapped = try await copy(tree, there, .map)
        #expect(mapped.isComplete, "\(mapped.failures)")
        #expect(try await copy(tree, there, .map).copied == 0)
        #expect(try await copy(there, TransferEndpoint(desk.provider, "back"), .map).isComplete)
        for name in [".hidden/x", "plain", ".dot"] {
            #expect(try desk.read("back/\(name)") == desk.read("tree/\(name)"))
        }
    }
}
