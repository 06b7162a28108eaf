import Foundation
import TestSupport
import Testing

/// A vault while its server is really away.
@Suite(.enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"), .serialized)
struct OfflineVaultTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    @Test func whatIsChangedWithoutTheServerIsSentLater() throws {
        let server = try PrivateServer("apache")
        defer { server.stop() }
        try work.write("photos/a.jpg", "three")
        #expect(try work.fp("cp", "-r", "photos", server.location + "photos").status == 0)
        #expect(try work.fp("remote", "add", "cloud", server.location).status == 0)
        let opened = try work.fp("vault", "open", "cloud")
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(try work.fp("vault", "pin", "cloud:photos").status == 0)
        #expect(try work.fp("vault", "ls", "-l", "cloud:photos").text.contains("localCopy"))
        try server.control("kill")

        try work.write("report.txt", "written offline")
        #expect(try work.fp("vault", "mkdir", "cloud:work").status == 0)
        let put = try work.fp("vault", "put", "report.txt", "cloud:work")
        #expect(put.status == 0)
        #expect(put.errors.contains("kept here"), "\(put.errors)")
        #expect(try work.fp("vault", "mv", "cloud:photos/a.jpg", "cloud:photos/b.jpg").status == 0)
        let got = try work.fp("vault", "get", "cloud:photos/b.jpg", "copy.jpg")
        #expect(got.status == 0, "\(got.errors)")
        #expect(work.read("copy.jpg") == "three")
        #expect(try work.fp("vault", "ls", "cloud:work").lines == ["report.txt"])
        #expect(try work.fp("vault", "status", "--json", "cloud").objects.first?["unsent"] as? Int == 3)
        #expect(try work.fp("vault", "sync", "cloud").status != 0)
        #expect(try work.fp("vault", "erase", "cloud").errors.contains("--discard"))

        try server.control("start")
        let sync = try work.fp("vault", "sync", "cloud")
        #expect(sync.status == 0, "\(sync.errors)")
        #expect(try work.fp("cat", server.location + "work/report.txt").text == "written offline")
        #expect(try work.fp("ls", server.location + "photos").lines == ["b.jpg"])
        #expect(try work.fp("vault", "rm", "-r", "cloud:work").status == 0)
        #expect(try work.fp("ls", server.location).lines == ["photos/"])
        #expect(try work.fp("vault", "unpin", "cloud:photos").status == 0)
        #expect(try work.fp("vault", "erase", "cloud").status == 0)
    }

    /// One folder's listing is refused: what is in it is not known to be nothing.
    @Test(.enabled(if: getuid() == 0, "only root makes folders that the server cannot list"))
    func aFolderThatWasNeverListedIsNotEmpty() throws {
        let server = try PrivateServer("apache")
        defer { server.stop() }
        try work.write("files/a")
        #expect(try work.fp("cp", "-r", "files", server.location + "files").status == 0)
        let closed = server.root + "/closed"
        #expect(try work.program.shell("mkdir \(closed); touch \(closed)/b; chmod 700 \(closed)").status == 0)
        #expect(try work.fp("remote", "add", "cloud", server.location).status == 0)
        _ = try work.fp("vault", "open", "cloud")
        #expect(try work.fp("vault", "ls", "cloud:files").lines == ["a"])
        for words in [["ls", "cloud:closed"], ["get", "cloud:closed/b", "b"]] {
            let outcome = try work.program.run(["vault"] + words)
            #expect(outcome.status == 1 && outcome.errors.contains("not listed yet"), "\(outcome.errors)")
        }
        #expect(try work.program.shell("chmod 755 \(closed)").status == 0)
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        #expect(try work.fp("vault", "ls", "cloud:closed").lines == ["b"])
    }

    @Test func aWatchTellsWhenTheServerGoesAndComes() throws {
        let server = try PrivateServer("apache")
        defer { server.stop() }
        try work.write("files/a")
        #expect(try work.fp("cp", "-r", "files", server.location + "files").status == 0)
        #expect(try work.fp("remote", "add", "cloud", server.location).status == 0)
        let running = try work.program.start("watch", "cloud:", "--query", "TRUEPREDICATE", "--interval", "1")
        #expect(running.wait { running.errorsSoFar.contains("watching") }, "\(running.errorsSoFar)")
        try server.control("kill")
        #expect(running.wait { running.errorsSoFar.contains("cannot be reached; ") }, "\(running.errorsSoFar)")
        try server.control("start")
        #expect(running.wait { running.errorsSoFar.contains("can be reached again") }, "\(running.errorsSoFar)")
        kill(running.process.processIdentifier, SIGTERM)
        let errors = try running.wait().errors
        #expect(errors.split(separator: "\n").filter { $0.contains("reached") }.count == 2, "\(errors)")
    }

    @Test func whatWaitsIsCountedAndQuestionsNameTheirItems() throws {
        let server = try PrivateServer("apache")
        defer { server.stop() }
        for name in ["a", "b"] { try work.write("files/\(name)") }
        #expect(try work.fp("cp", "-r", "files", server.location + "files").status == 0)
        #expect(try work.fp("remote", "add", "cloud", server.location).status == 0)
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        try server.control("kill")
        #expect(try work.fp("vault", "pin", "cloud:files/b").status == 0)
        #expect(try work.fp("vault", "mv", "cloud:files/a", "cloud:files/taken").status == 0)
        let status = try #require(try work.fp("vault", "status", "--json", "cloud").objects.first)
        #expect(status["waiting"] as? Int == 2 && status["unsent"] as? Int == 1, "\(status)")

        // Apache answers such a move with a redirection, or as a bad request.
        try server.control("start")
        #expect(try work.program.shell("mkdir -m 777 \(server.root)/files/taken").status == 0)
        let sync = try work.fp("vault", "sync", "cloud")
        #expect(sync.status == 1 && sync.errors.contains("name-taken"), "\(sync.errors)")
        let question = try #require(try work.fp("vault", "conflicts", "--json", "cloud").objects.first)
        #expect(question["kind"] as? String == "name-taken" && question["path"] as? String == "cloud:files/taken")
        let id = try #require(question["issue"] as? String)
        #expect(try work.fp("vault", "resolve", "cloud", id, "cancel").status == 0)
        let again = try work.fp("vault", "sync", "cloud")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try work.fp("vault", "ls", "cloud:files").lines.sorted() == ["a", "b", "taken/"])
    }

    @Test func movesAndRemovalsThatWaitAreUnsent() throws {
        let server = try PrivateServer("apache")
        defer { server.stop() }
        for name in ["a", "b", "c"] { try work.write("files/\(name)") }
        #expect(try work.fp("cp", "-r", "files", server.location + "files").status == 0)
        #expect(try work.fp("remote", "add", "cloud", server.location).status == 0)
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        try server.control("kill")

        #expect(try work.fp("vault", "mv", "cloud:files/a", "cloud:files/d").status == 0)
        #expect(try work.fp("vault", "rm", "cloud:files/b").status == 0)
        let absent = try work.fp("vault", "get", "cloud:files/c", "c")
        #expect(absent.status == 1)
        #expect(absent.errors.hasPrefix("fp: vault get: cloud:files/c: no copy is here"), "\(absent.errors)")
        #expect(try work.fp("vault", "status", "--json", "cloud").objects.first?["unsent"] as? Int == 2)
        let refused = try work.fp("vault", "erase", "cloud")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("2 items have changes"), "\(refused.errors)")
        #expect(try work.fp("vault", "erase", "--discard", "cloud").status == 0)
    }
}
