import FileProviderTesting
import FileProviders
import Foundation
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
        let report = try await Transfer(plan, in: desk.surroundings).run()
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
        let report = try await Transfer(plan, in: desk.surroundings).run()
        #expect(report.failures.count == 1)
        #expect(server.requests.filter { $0.method == "PUT" }.count == 3)
        #expect(try desk.journals().count == 1)
    }

    @Test("a server that takes so many files a second is waited for as it asks, and all arrive")
    func throttled() async throws {
        let desk = try Desk()
        let (files, atOnce, allowance) = (45, 4, 15)
        for index in 0..<files { try desk.fill("tree/f\(index)", 100, seed: UInt64(index)) }
        let window = Locked((left: allowance, end: nil as ContinuousClock.Instant?))
        // No server of the suite limits its clients.
        let server = try ScriptedResponder { request in
            switch request.method {
            case "PUT":
                window.withLock { window in
                    if let end = window.end, end <= .now { window = (allowance, nil) }
                    guard window.left > 0 else {
                        window.end = window.end ?? .now + .seconds(1)
                        return .reply(429, headers: [("Retry-After", "1")])
                    }
                    window.left -= 1
                    return .reply(201)
                }
            case "MKCOL": .reply(201)
            case "OPTIONS":
                .reply(200, headers: [("DAV", "<http://apache.org/dav/propset/fs/1>"), ("Allow", "PUT")])
            default: .reply(404)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry.within = 0.1
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let options = impatient {
            $0.concurrency = atOnce
            $0.retries.inTransfer = 0
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree")], to: TransferEndpoint(provider, "tree"), options: options)
        let report = try await Transfer(plan, in: desk.surroundings).run()
        #expect(report.isComplete && report.copied == files, "\(report.failures)")
        // Each pause was found out by the files under way, and by no other.
        let puts = server.requests.count { $0.method == "PUT" }
        #expect(puts <= files + atOnce * (files / allowance), "\(puts)")
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
