import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// `fp transfers`, and `fp sync` against a server.
@Suite(.enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers"), .serialized)
struct InterruptedTests {
    private let work: Workspace
    private let folder = "int-\(UUID().uuidString)"

    init() throws { work = try Workspace() }

    /// A copy of 16 MiB, begun in a folder, that is killed on its way; the location of its target, and its last words.
    private func killedCopy(
        in begun: String = ".", by signal: Int32 = SIGKILL
    ) throws -> (server: TestServer, proxy: FaultProxy, location: String, errors: String) {
        let server = try #require(TestServer("APACHE"))
        let url = try #require(URL(string: server.location.replacing("dav://", with: "http://")))
        let isSlow = Locked(true)
        let proxy = try FaultProxy(to: try #require(url.port)) { _ in
            FaultProxy.Faults(toServer: isSlow.withLock { $0 } ? [.stall(after: 4 << 20)] : [])
        }
        let location = proxy.url(url).absoluteString.replacing("http://", with: "dav://") + folder
        #expect(try work.fp("mkdir", location).status == 0)
        var random = SeededGenerator(seed: 5)
        var program = work.program
        program.folder = work.folder.appending(path: begun)
        program.environment["XDG_STATE_HOME"] = work.folder.appending(path: ".config/state").path
        try FileManager.default.createDirectory(at: program.folder, withIntermediateDirectories: true)
        try random.bytes(16 << 20).write(to: program.folder.appending(path: "big"))
        let running = try program.start("cp", "big", "\(location)/big")
        #expect(running.wait { proxy.traffic.bytesToServer >= 4 << 20 })
        kill(running.process.processIdentifier, signal)
        let errors = try running.wait().errors
        isSlow.withLock { $0 = false }
        return (server, proxy, location, errors)
    }

    private func strays(_ server: TestServer) throws -> [String] {
        let root = URL(fileURLWithPath: server.folder.description).appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasPrefix(".fp-") }
    }

    @Test func anInterruptedCopyIsListedAndResumed() throws {
        let (server, proxy, location, _) = try killedCopy()
        defer { proxy.stop() }
        let listed = try work.fp("transfers", "list", "--json")
        let transfer = try #require(listed.objects.first)
        #expect(transfer["state"] as? String == "interrupted")
        #expect(transfer["command"] as? String == "fp cp big \(location)/big")
        #expect((transfer["folder"] as? String)?.hasSuffix("/" + work.folder.lastPathComponent) == true)
        let id = try #require(transfer["id"] as? String)
        // Elsewhere, since the command is run in its own folder.
        let resumed = try work.program.shell("cd / && fp transfers resume \(id.prefix(4))")
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try strays(server) == [])
        #expect(try work.fp("transfers", "list").text == "")
        #expect(try work.fp("cp", "\(location)/big", "back").status == 0)
        #expect(try work.program.shell("cmp big back").status == 0)
        #expect(try work.fp("rm", "-r", location).status == 0)
    }

    @Test func aStoppedCopySaysHowToGoOn() throws {
        let (server, proxy, location, errors) = try killedCopy(by: SIGINT)
        defer { proxy.stop() }
        #expect(errors == "fp: cp: stopped; give the same command again to go on\n")
        #expect(try work.fp("transfers", "list").lines.count == 1)
        #expect(try work.fp("cp", "big", "\(location)/big").status == 0)
        #expect(try strays(server) == [] && work.fp("transfers", "list").text == "")
        #expect(try work.fp("rm", "-r", location).status == 0)
    }

    @Test func anInterruptedCopyIsDiscarded() throws {
        let (server, proxy, location, _) = try killedCopy()
        defer { proxy.stop() }
        #expect(try strays(server).count == 1)
        let id = try #require(try work.fp("transfers", "list", "--json").objects.first?["id"] as? String)
        #expect(try work.fp("transfers", "discard", "zz").status == 2)
        let discarded = try work.fp("transfers", "discard", id)
        #expect(discarded.status == 0, "\(discarded.errors)")
        #expect(try strays(server) == [])
        #expect(try work.fp("transfers", "list").text == "")
        #expect(try work.fp("rm", "-r", location).status == 0)
    }

    @Test func whatLostItsSourceIsDiscarded() throws {
        let (server, proxy, location, _) = try killedCopy(in: "gone")
        defer { proxy.stop() }
        try FileManager.default.removeItem(at: work.folder.appending(path: "gone"))
        let id = try #require(try work.fp("transfers", "list", "--json").objects.first?["id"] as? String)
        let discarded = try work.fp("transfers", "discard", id)
        #expect(discarded.status == 0, "\(discarded.errors)")
        #expect(try strays(server) == [])
        #expect(try work.fp("transfers", "list").text == "")
        #expect(try work.fp("rm", "-r", location).status == 0)
    }

    @Test func whatCannotBeTakenAwayIsKept() throws {
        let (server, proxy, location, _) = try killedCopy()
        proxy.stop()
        let id = try #require(try work.fp("transfers", "list", "--json").objects.first?["id"] as? String)
        let refused = try work.fp("transfers", "discard", id)
        #expect(refused.status == 2)
        #expect(
            refused.errors.split(separator: "\n").count == 1 && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try work.fp("transfers", "list").lines.count == 1)
        #expect(try !strays(server).isEmpty)
        #expect(try work.fp("transfers", "discard", "--force", id).status == 0)
        #expect(try work.fp("transfers", "list").text == "")
        #expect(try work.fp("rm", "-r", server.location + URL(filePath: location).lastPathComponent).status == 0)
    }

    @Test(arguments: TestServer.all)
    func aMirrorFollowsItsSource(server: TestServer) throws {
        let location = server.location + folder
        for name in ["a", "b", "sub/c"] { try work.write("s/\(name)", "text \(name)", modified: 1_500_000_000) }
        #expect(try work.fp("sync", "s", location).status == 0)
        try FileManager.default.removeItem(at: work.folder.appendingPathComponent("s/a"))
        try work.write("s/b", "a longer text")
        let planned = try work.fp("sync", "--delete", "--dry-run", "s", "\(location)/")
        #expect(
            Set(planned.lines.filter { $0.hasPrefix("would") }) == [
                "would copy s/b -> \(location)/b (13B)", "would remove \(location)/a",
            ])
        #expect(try work.fp("ls", location).lines.sorted() == ["a", "b", "sub/"])
        let done = try work.fp("sync", "--delete", "s", location)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try work.fp("cp", "-r", location, "back").status == 0)
        #expect(try work.program.shell("diff -r s back").text == "")
        try FileManager.default.removeItem(at: work.folder.appendingPathComponent("s"))
        try FileManager.default.createDirectory(
            at: work.folder.appendingPathComponent("s"), withIntermediateDirectories: true)
        #expect(try work.fp("sync", "--delete", "--max-delete", "100%", "s", location).status == 1)
        #expect(try work.fp("cat", "\(location)/b").text == "a longer text")
        #expect(try work.fp("rm", "-r", location).status == 0)
    }
}
