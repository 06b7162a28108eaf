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
        for index in 0..<1000 { try desk.fill("tree/f\(index)", 100, seed: UInt64(index)) }
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
        let cut = try await Transfer(plan, in: desk.environment).run { event in
            guard case .ended(let receipt) = event, receipt.outcome == .copied else { return }
            copied += 1
            guard copied == 100 else { return }
            isGone.withLock { $0 = true }
            proxy.cutConnections()
        }
        #expect(cut.isCutShort)
        #expect(cut.failures.count == 1, "\(cut.failures.compactMap(\.error))")
        #expect((100..<1000).contains(cut.copied))
        // What was under way, and none of those that waited.
        let journal = try #require(try desk.journals().first)
        let file = desk.folder.appendingPathComponent("journals/\(journal.id).journal")
        #expect(try Data(contentsOf: file).count < 100 << 10)

        isGone.withLock { $0 = false }
        let rest = try await Transfer(plan, in: desk.environment).run()
        #expect(rest.isComplete && !rest.isCutShort, "\(rest.failures.compactMap(\.error))")
        for index in 0..<1000 {
            let name = "tree/f\(index)"
            #expect(try Data(contentsOf: place.root.appendingPathComponent(name)) == desk.read(name))
        }
        #expect(try place.strays().isEmpty)
        #expect(try desk.journals().isEmpty)
    }

    @Test(
        "a transfer that is stopped while its server is silent ends soon",
        .enabled(if: Place.names.contains("SABRE"), "needs Scripts/test-servers"), .timeLimit(.minutes(5)))
    func stoppedWhileSilent() async throws {
        let desk = try Desk()
        try desk.fill("f", 8 << 20)
        let place = try await Place("SABRE", deadlines: HTTPDeadlines(idle: 600, work: 600)) { port in
            try FaultProxy(to: port) { _ in FaultProxy.Faults(toServer: [.stall(after: 1 << 20)]) }
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")],
            to: TransferEndpoint(place.provider, place.folder.appending("f")), options: impatient())
        let transfer = Transfer(plan, in: desk.environment)
        let report = Task { try await transfer.report }
        while transfer.progress.completedUnitCount < 1 << 19 { try await Task.sleep(for: .milliseconds(10)) }
        transfer.cancel()
        await #expect(throws: CancellationError.self) { try await report.value }
    }

    @Test(
        "a password that is changed ends the transfer with one error; a folder that is closed to this user does not",
        .enabled(if: Place.names.contains("APACHE"), "needs Scripts/test-servers"))
    func lockout() async throws {
        let desk = try Desk()
        for folder in ["a", "closed", "z"] {
            for index in 0..<50 { try desk.fill("tree/\(folder)/f\(index)", 100) }
        }
        let place = try await Place("APACHE_GUARDED", credential: .password(user: "ada", password: "secret"))
        let users = desk.folder.appendingPathComponent("users")
        // What the server keeps of the password "secret".
        let digest = "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ="
        try Data("ada:\(digest)\n".utf8).write(to: users)
        func guardFolder(_ name: String, for users: URL, _ rule: String) throws {
            let folder = place.root.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = "AuthType Basic\nAuthName guarded\nAuthUserFile \"\(users.path)\"\nRequire \(rule)\n"
            try Data(text.utf8).write(to: folder.appendingPathComponent(".htaccess"))
        }
        try guardFolder("", for: users, "valid-user")
        try guardFolder("first/closed", for: users, "user somebody")
        // The server runs as another user.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: place.root.appendingPathComponent("first").path)
        func copy(to name: String, onCopied: (Int) throws -> Void) async throws -> TransferReport {
            let plan = try await TransferPlan(
                from: [TransferEndpoint(desk.provider, "tree")],
                to: TransferEndpoint(place.provider, place.folder.appending(name)),
                options: impatient { $0.concurrency = 4 })
            var copied = 0
            return try await Transfer(plan).run { event in
                guard case .ended(let receipt) = event, receipt.outcome == .copied else { return }
                copied += 1
                try? onCopied(copied)
            }
        }
        let partly = try await copy(to: "first") { _ in }
        #expect(!partly.isCutShort)
        #expect(partly.copied == 100, "\(partly.failures)")
        #expect(!partly.failures.isEmpty)

        let cut = try await copy(to: "second") { copied in
            if copied == 30 { try Data("somebody:\(digest)\n".utf8).write(to: users, options: .atomic) }
        }
        #expect(cut.isCutShort)
        #expect(cut.failures.map { ($0.error as? URLError)?.code } == [URLError.Code.userAuthenticationRequired])
        #expect((30..<100).contains(cut.copied))
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
                .reply(200, headers: [("DAV", "<http://apache.org/dav/propset/fs/1>"), ("Allow", "PUT")])
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
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(!report.isCutShort)
        #expect(report.copied == 3)
        #expect(report.failures.map(\.source) == [try ItemPath(validating: "tree/bad")])
    }

    @Test(
        "a server that is away for a moment costs nothing",
        .enabled(if: Place.names.contains("APACHE"), "needs Scripts/test-servers"),
        arguments: ["f", "d%/f"], [true, false])
    func serverAway(names: String, isUpload: Bool) async throws {
        let desk = try Desk()
        for index in 0..<300 {
            try desk.fill("tree/" + names.replacing("%", with: "\(index)") + "\(index)", 100, seed: UInt64(index))
        }
        let isGone = Locked(false)
        let made = Locked<FaultProxy?>(nil)
        let place = try await Place("APACHE") { port in
            let proxy = try FaultProxy(to: port) { _ in
                FaultProxy.Faults(toServer: isGone.withLock { $0 } ? [.reset(after: 0)] : [])
            }
            made.withLock { $0 = proxy }
            return proxy
        }
        let proxy = try #require(made.withLock { $0 })
        let there = TransferEndpoint(place.provider, try place.folder.appending("tree"))
        if !isUpload {
            let plan = try await TransferPlan(
                from: [TransferEndpoint(desk.provider, "tree")], to: there, options: impatient())
            #expect(try await Transfer(plan).run().isComplete)
        }
        let plan = try await TransferPlan(
            from: [isUpload ? TransferEndpoint(desk.provider, "tree") : there],
            to: isUpload ? there : TransferEndpoint(desk.provider, "back"),
            options: impatient { $0.retries.outage = .seconds(30) })
        var copied = 0
        let report = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            return try await Transfer(plan, in: desk.environment).run { event in
                guard case .ended(let receipt) = event, receipt.outcome == .copied else { return }
                copied += 1
                guard copied == 50 else { return }
                isGone.withLock { $0 = true }
                proxy.cutConnections()
                group.addTask {
                    try await Task.sleep(for: .seconds(3))
                    isGone.withLock { $0 = false }
                }
            }
        }
        #expect(report.isComplete && !report.isCutShort, "\(report.failures.compactMap(\.error))")
        #expect(report.copied == 300)
    }

    @Test(
        "a server that one item always brings down for a moment is not asked for it for ever",
        arguments: ["f", "d/f"])
    func oneItemBringsItDown(name: String) async throws {
        let lost = URLError(.networkConnectionLost)
        let isFolder = name != "f"
        let begun = Locked(0)
        let source = HookedProvider(
            beforeListing: { path in
                guard isFolder, path.lastComponent?.description == "d" else { return }
                begun.withLock { $0 += 1 }
                throw lost
            },
            // Every second question finds it back.
            whenAsked: { count in if count.isMultiple(of: 2) == false { throw lost } },
            beforeReading: { _ in
                begun.withLock { $0 += 1 }
                throw lost
            })
        _ = try await source.base.write(
            path: try ItemPath(validating: "tree/" + name), from: ByteStream(Data("contents".utf8)),
            in: OperationContext(options: OperationOptions(createsParents: true)))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "tree")], to: TransferEndpoint(MemoryFileProvider(), "tree"),
            options: impatient { $0.retries.perFile = 2 })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1)
        #expect(!report.isCutShort)
        #expect((2...12).contains(begun.withLock { $0 }))
    }

    /// As a delegate's refusal of one operation, or the end of a task of somebody else's.
    @Test("what only looks like a cancellation is a failure", arguments: [true, false])
    func noCancellation(isURLError: Bool) async throws {
        let source = HookedProvider(beforeReading: { path in
            guard path.lastComponent?.description == "a" else { return }
            throw isURLError ? URLError(.cancelled) : CocoaError(.userCancelled)
        })
        for path in ["tree/a", "tree/b"] as [ItemPath] {
            _ = try await source.base.write(
                path: path, from: ByteStream(Data("contents".utf8)),
                in: OperationContext(options: OperationOptions(createsParents: true)))
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "tree")], to: TransferEndpoint(MemoryFileProvider(), "tree"),
            options: impatient())
        let report = try await Transfer(plan).run()
        #expect(report.copied == 1)
        #expect(report.failures.count == 1)
    }

    @Test("a source whose copy cannot be verified stays")
    func unverified() async throws {
        let (source, target) = (MemoryFileProvider(), HookedProvider(telling: { $0.size = nil }))
        try await source.writeContents(path: "f", contents: Data("contents".utf8))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "f")], to: TransferEndpoint(target, "f"),
            options: impatient {
                $0.removesSources = true
                $0.verification = .size
            })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1)
        #expect(try await source.itemExists(path: "f"))
    }

    @Test("what is left of a download whose server is gone goes, where no journal knows of it")
    func nothingIsLeft() async throws {
        let desk = try Desk()
        let isGone = Locked(false)
        let length = 64 << 20
        // No honest server is gone after so many bytes.
        let server = try ScriptedResponder { request in
            if isGone.withLock({ $0 }) { return ScriptedResponder.Script([.close]) }
            switch request.method {
            case "PROPFIND":
                return .reply(
                    207, headers: [("Content-Type", "application/xml")],
                    body: """
                        <d:multistatus xmlns:d="DAV:"><d:response><d:href>/f</d:href><d:propstat><d:prop>
                        <d:getcontentlength>\(length)</d:getcontentlength><d:getetag>"1"</d:getetag><d:resourcetype/>
                        </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>
                        """)
            case "GET" where request.target == "/f":
                isGone.withLock { $0 = true }
                let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(length)\r\n\r\n"
                return ScriptedResponder.Script([.send(Data(head.utf8)), .send(Data(count: 40 << 20)), .close])
            case "OPTIONS": return .reply(200, headers: [("DAV", "1,2")])
            default: return .reply(404)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry = .never
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(provider, "f")], to: TransferEndpoint(desk.provider, "f"), options: impatient())
        let report = try await Transfer(plan).run()
        #expect(report.isCutShort)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path) == [])
    }
}
