import FileProviderTesting
import Foundation
import TestSupport
import Testing

/// What goes wrong gives one clear line and a status, and nothing is lost.
@Suite(.enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"), .serialized)
struct FailureTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    /// Runs `fp`, which has to fail with a single line that says `text`.
    private func refusal(_ text: String, _ arguments: String..., status: Int32) throws {
        let outcome = try work.program.run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("fp:") }
        #expect(lines.count == 1 && lines.first?.contains(text) == true, "\(outcome.errors)")
    }

    @Test func anUnknownHost() throws {
        try refusal("nowhere.invalid", "ls", "dav://nowhere.invalid/", status: 2)
        try work.write("f")
        try refusal("nowhere.invalid", "cp", "f", "dav://nowhere.invalid/f", status: 2)
    }

    @Test func aFolderIsNoFileEvenWithASlash() throws {
        for server in ["APACHE", "SABRE"] {
            try refusal("it is a directory", "cat", #require(TestServer(server)).location, status: 1)
        }
    }

    /// The paths are equal, so only the kind of error tells the servers apart.
    @Test func theServerThatRefusesIsNamed() throws {
        let server = try #require(TestServer("APACHE"))
        let (folder, work) = (server.location + "fp-\(UUID().uuidString)/", work)
        defer { _ = try? work.fp("rm", "-rf", folder) }
        try work.write("f")
        #expect(try work.fp("mkdir", folder).status == 0)
        #expect(try work.fp("cp", "f", folder + "f").status == 0)
        // No server here refuses every file to everybody.
        let other = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS": .reply(200, headers: [("DAV", "1,2"), ("Allow", "PUT, MOVE, PROPFIND")])
            case "PROPFIND": .reply(404)
            default: .reply(403)
            }
        }
        defer { other.stop() }
        let there = folder.replacing(":\(server.url.port ?? 0)/", with: ":\(other.url.port ?? 0)/")
        let outcome = try work.fp("cp", folder + "f", there + "f")
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("fp: cp: \(there)f: "), "\(outcome.errors)")
    }

    @Test func aPortWhereNobodyListens() throws {
        try refusal("check that the server runs", "ls", "dav://127.0.0.1:9/", status: 2)
    }

    /// It is asked a few times, not for ever.
    @Test(arguments: [429, 502, 503])
    func aServerThatIsNotAvailable(status: Int) throws {
        let server = try ScriptedResponder { _ in .reply(status) }
        defer { server.stop() }
        let location = "dav://127.0.0.1:\(server.url.port ?? 0)/"
        try refusal(location, "ls", location, status: 2)
        try work.write("f")
        try refusal(location, "cp", "f", "\(location)x", status: 2)
    }

    @Test func aLoginPageInsteadOfAListing() throws {
        let server = try #require(TestServer("APACHE_LOGIN"))
        try refusal("127.0.0.1", "ls", server.location, status: 2)
        try refusal("127.0.0.1", "cp", "-r", server.location, "copy", status: 2)
        #expect(!work.exists("copy"))
    }

    /// A server that answers each PROPFIND with this.
    private func server(_ script: ScriptedResponder.Script) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            request.method == "OPTIONS" ? .reply(200, headers: [("DAV", "1, 2")]) : script
        }
    }

    private static let head = [("Content-Type", "application/xml"), ("Connection", "close")]

    private static func multistatus(_ responses: String) -> String {
        "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">\(responses)"
    }

    private static func response(_ href: String, isDirectory: Bool = false) -> String {
        let type = isDirectory ? "<d:collection/>" : ""
        return "<d:response><d:href>\(href)</d:href><d:propstat><d:prop><d:resourcetype>\(type)</d:resourcetype>"
            + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    }

    static let malformed = [
        "cut": multistatus(response("/", isDirectory: true) + "<d:response><d:hr"),
        "not XML": "hello",
        "wrong nesting": multistatus("</d:response></d:multistatus>"),
        "another document": "<a/>",
        "an entity bomb": "<!DOCTYPE d [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>"
            + multistatus("&b;</d:multistatus>"),
        "outside": multistatus(response("/../../etc/passwd") + "</d:multistatus>"),
        "outside, encoded": multistatus(response("/%2e%2e/%2e%2e/etc/passwd") + "</d:multistatus>"),
    ]

    @Test(arguments: malformed.keys.sorted())
    func aMalformedListing(kind: String) throws {
        let body = try #require(Self.malformed[kind])
        let server = try server(.reply(207, headers: Self.head, body: body))
        defer { server.stop() }
        let location = "dav://127.0.0.1:\(server.port)/"
        let outcome = try work.fp("ls", location)
        #expect((1...2).contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(!outcome.text.contains("passwd"))
        let copy = try work.fp("cp", "-r", location, "copy")
        #expect((1...2).contains(copy.status), "\(copy.errors)")
        #expect(try work.names() == [] || work.names("copy") == [])
    }

    /// A folder that the server refuses to list is named, and the others are listed.
    @Test func aFolderThatTheServerRefuses() throws {
        let server = try ScriptedResponder { request in
            guard request.method == "PROPFIND" else { return .reply(200, headers: [("DAV", "1, 2")]) }
            let path = request.target
            if path.hasPrefix("/shut") { return .reply(403) }
            let below = path == "/" ? ["/a/", "/shut/", "/z/"] : []
            let responses = ([path] + below).map { Self.response($0, isDirectory: true) }.joined()
            return .reply(207, headers: Self.head, body: Self.multistatus(responses + "</d:multistatus>"))
        }
        defer { server.stop() }
        let location = "dav://127.0.0.1:\(server.port)/"
        for command in [["ls", "-R", location], ["find", location, "TRUEPREDICATE"], ["tree", location]] {
            let outcome = try work.program.run(command)
            #expect(outcome.status == 1)
            #expect(["a/", "shut/", "z/"].allSatisfy { outcome.text.contains($0) }, "\(outcome.text)")
            #expect(
                outcome.errors.hasPrefix("fp: \(command[0]): \(location)shut: permission denied"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func aListingOfTenGigabytes() throws {
        let filler = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        let begin = Self.multistatus("<d:response><d:href>/")
        let server = try server(.head(207, headers: Self.head).then(begin).then(.flood(filler, times: 10 << 10)))
        defer { server.stop() }
        try refusal("127.0.0.1", "ls", "dav://127.0.0.1:\(server.port)/", status: 2)
        try refusal("127.0.0.1", "cp", "-r", "dav://127.0.0.1:\(server.port)/", "copy", status: 2)
        #expect(!work.exists("copy"))
    }

    /// Makes a folder on a server whose file system is small; returns its location, and where it is on this machine.
    private func smallFolder(_ server: TestServer) throws -> (location: String, root: String) {
        let small = try #require(TestServer("\(server.name)_SMALL"))
        let folder = "fp-\(UUID().uuidString)"
        try waitUntilEmpty(small.folder.description)
        #expect(try work.fp("mkdir", small.location + folder).status == 0)
        return (small.location + folder, small.folder.description + "/" + folder)
    }

    /// Waits until a small file system has its room back: a server may keep a file open for a moment that broke off.
    private func waitUntilEmpty(_ folder: String) throws {
        for _ in 0..<100 {
            let free = try FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? Int64
            if try #require(free) > 15_000_000 { return }
            Thread.sleep(forTimeInterval: 0.1)
        }
        Issue.record("\(folder) stays full")
    }

    /// A full disk leaves the old file, and no part of the new one, on every server.
    @Test(arguments: TestServer.all)
    func aFullDiskOnTheServer(server: TestServer) throws {
        let (location, root) = try smallFolder(server)
        defer { _ = try? work.fp("rm", "-rf", location) }
        try work.write("old", "old\n")
        #expect(try work.fp("cp", "old", "\(location)/file").status == 0)
        try Data(count: 20_000_000).write(to: work.folder.appending(path: "big"))
        for (target, verification) in [("file", "size"), ("new", "size"), ("file", "readback")] {
            let outcome = try work.fp("cp", "--overwrite", "--verify", verification, "big", "\(location)/\(target)")
            #expect(outcome.status == 1, "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("fp: cp: \(location)/\(target): "), "\(outcome.errors)")
        }
        #expect(try String(contentsOfFile: root + "/file", encoding: .utf8) == "old\n")
        // Only sabre/dav keeps a file of its own there.
        let names = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0 != ".sabredav" }
        #expect(names == ["file"])
    }

    /// A copy that the server makes itself replaces nothing before it is complete.
    @Test(arguments: TestServer.all)
    func aFullDiskForTheServersOwnCopy(server: TestServer) throws {
        let (location, root) = try smallFolder(server)
        defer { _ = try? work.fp("rm", "-rf", location) }
        for (name, size) in [("new", 7_000_000), ("old", 6_000_000)] {
            try Data(repeating: UInt8(size / 1_000_000), count: size).write(to: work.folder.appending(path: name))
            #expect(try work.fp("cp", name, "\(location)/\(name)").status == 0)
        }
        for target in ["old", "another"] {
            let outcome = try work.fp("cp", "--overwrite", "\(location)/new", "\(location)/\(target)")
            #expect(outcome.status == 1, "\(outcome.errors)")
        }
        #expect(try work.program.shell("cmp old \(root)/old").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0 != ".sabredav" }
        #expect(names.sorted() == ["new", "old"])
    }

    /// A name that the server's disk cannot hold, whatever the server says of it: the source stays.
    @Test(arguments: TestServer.all)
    func aNameThatIsTooLongForTheServer(server: TestServer) throws {
        let folder = "fp-\(UUID().uuidString)"
        let (location, long) = (server.location + folder, String(repeating: "n", count: 256))
        defer { _ = try? work.fp("rm", "-rf", location) }
        try work.write("file", "mine")
        #expect(try work.fp("mkdir", location).status == 0)
        for command in [["mv", "--verify", "size", "file", "\(location)/\(long)"], ["mkdir", "\(location)/\(long)"]] {
            let outcome = try work.program.run(command)
            #expect(outcome.status == 1, "\(outcome.errors)")
        }
        #expect(work.read("file") == "mine")
        let listed = try work.fp("ls", location)
        #expect(listed.status == 0 && listed.text.isEmpty, "\(listed.text)\(listed.errors)")
    }

    /// What of a file has found room does not keep others from having it, while the vault waits for an answer and
    /// behind it.
    @Test func aVaultLeavesNothingOnAFullDisk() throws {
        let (location, root) = try smallFolder(#require(TestServer("APACHE")))
        defer { _ = try? work.fp("rm", "-rf", location) }
        #expect(try work.fp("remote", "add", "small", location).status == 0)
        #expect(try work.fp("vault", "open", "small").status == 0)
        try Data(count: 20_000_000).write(to: work.folder.appending(path: "big"))
        #expect(try work.fp("vault", "put", "big", "small:big").status == 1)
        #expect(try work.fp("vault", "sync", "small").status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
        try work.write("little", "little")
        #expect(try work.fp("vault", "put", "little", "small:little").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["little"])
    }

    /// As often as that is asked for, contents do not take a folder's place, and the question is another one then.
    @Test func aFolderThatIsThereByNowIsNotReplaced() throws {
        let server = try #require(TestServer("APACHE"))
        let location = server.location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        try work.write("file", "old")
        #expect(try work.fp("mkdir", location).status == 0)
        #expect(try work.fp("cp", "file", "\(location)/f").status == 0)
        #expect(try work.fp("remote", "add", "cloud", location).status == 0)
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        #expect(try work.fp("rm", "\(location)/f").status == 0)
        #expect(try work.fp("mkdir", "\(location)/f").status == 0)
        try work.write("file", "mine")
        #expect(try work.fp("vault", "put", "file", "cloud:f").status == 1)
        let conflict = try #require(try work.fp("vault", "conflicts", "--json", "cloud").objects.first)
        let id = try #require(conflict["issue"] as? String)
        if id.hasPrefix("conflict:") {
            #expect(try work.fp("vault", "resolve", "cloud", id, "replace").status == 0)
            _ = try work.fp("vault", "sync", "cloud")
        }
        let next = try #require(try work.fp("vault", "conflicts", "--json", "cloud").objects.first?["issue"] as? String)
        #expect(next.hasPrefix("name-taken:"))
        #expect(try work.fp("vault", "resolve", "cloud", next, "keep-both").status == 0)
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        #expect(try work.fp("ls", location).lines.count == 2)
    }

    /// The folder that a failed move has begun is what the source becomes, not a place to go into.
    @Test func aMoveThatFailedGoesOn() throws {
        let small = try #require(TestServer("APACHE_SMALL"))
        let location = small.location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        for options in [["mv"], ["mv", "--overwrite"]] {
            try work.write("d/a", "aa")
            #expect(try work.fp("mkdir", "d/empty").status == 0)
            try Data(count: 20_000_000).write(to: work.folder.appending(path: "d/big"))
            let failed = try work.fp("mv", "d", location)
            #expect(failed.status == 1 && failed.errors.hasPrefix("fp: mv: \(location)/big: "), "\(failed.errors)")
            #expect(work.exists("d/big") && work.exists("d/empty"))
            try work.write("d/big", "less")
            let again = try work.program.run(options + ["d", location])
            #expect(again.status == 0, "\(again.errors)")
            #expect(!work.exists("d"))
            #expect(try work.fp("ls", "-R", "--sort", "name", location).lines == ["a", "big", "empty/"])
            #expect(try work.fp("transfers", "list").text.isEmpty)
            #expect(try work.fp("rm", "-r", location).status == 0)
        }
    }

    /// An Apache of its own, behind a narrow proxy, is killed while it takes a file, and while it gives one. The old
    /// file stays, and the next run goes on.
    @Test func apacheKilledInMidCopy() throws {
        let server = try PrivateServer("apache")
        defer { server.stop() }
        let narrow = FaultProxy.Faults(
            toServer: [.trickle(bytesPerSecond: 16 << 20)], toClient: [.trickle(bytesPerSecond: 16 << 20)])
        let proxy = try FaultProxy(to: server.port) { _ in narrow }
        defer { proxy.stop() }
        let there = "dav://127.0.0.1:\(proxy.port)/dav/big"
        try work.write("old", "old\n")
        #expect(try work.fp("cp", "old", there).status == 0)
        try Data(count: 64 << 20).write(to: work.folder.appending(path: "big"))

        let sent = proxy.traffic.bytesToServer
        try killing(server, proxy, when: { $0.bytesToServer > sent + 4 << 20 }, ["cp", "--overwrite", "big", there])
        #expect(try String(contentsOfFile: server.root + "/big", encoding: .utf8) == "old\n")
        try server.control("start")
        #expect(try work.fp("cp", "--overwrite", "big", there).status == 0)

        try work.write("here", "old\n")
        let got = proxy.traffic.bytesToClient
        try killing(server, proxy, when: { $0.bytesToClient > got + 4 << 20 }, ["cp", "--overwrite", there, "here"])
        #expect(work.read("here") == "old\n")
        try server.control("start")
        #expect(try work.fp("cp", "--overwrite", there, "here").status == 0)
        #expect(try work.program.shell("cmp big here").status == 0)

        #expect(try work.fp("transfers", "list").text.isEmpty)
        let names = try work.names().filter { $0 != ".local" }
        #expect(names == ["big", "here", "old"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: server.root) == ["big"])
    }

    /// Kills the server once so much has passed; the copy has to fail with a clear line.
    private func killing(
        _ server: PrivateServer, _ proxy: FaultProxy, when condition: (FaultProxy.Traffic) -> Bool, _ copy: [String]
    ) throws {
        let running = try work.program.start(copy)
        #expect(running.wait { condition(proxy.traffic) })
        try server.control("kill")
        let outcome = try running.wait()
        #expect((1...2).contains(outcome.status), "\(outcome.errors)")
        #expect(outcome.errors.contains("the connection was cut"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 2, "a line, and the sum: \(outcome.errors)")
    }
}
