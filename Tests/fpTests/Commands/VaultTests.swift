import FileProviderTesting
import FileProviders
import Foundation
import Testing

@Suite struct VaultTests {
    private let work: Workspace

    /// A remote that is a folder of this machine.
    init() throws {
        work = try Workspace()
        try work.write("cloud/keep.txt")
        try #require(try work.fp("remote", "add", "cloud", "file://\(work.folder.path)/cloud").status == 0)
    }

    @Test func aRemoteWithAVaultIsNotRemoved() throws {
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let refused = try work.fp("remote", "remove", "cloud")
        #expect(refused.status == 1 && refused.errors.contains("fp vault erase"), "\(refused.errors)")
        #expect(try work.fp("vault", "ls", "cloud:").text == "keep.txt\n")
        #expect(try work.fp("remote", "add", "--replace", "cloud", "cloud").status == 0)
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        #expect(try work.fp("vault", "erase", "cloud").status == 0)
        #expect(try work.fp("remote", "remove", "cloud").status == 0)
    }

    @Test func `a remote that gets another address says what waits in its vault, and sends it there`() throws {
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let replaced = try work.program.shell(
            "mv cloud elsewhere; echo mine | fp vault put - cloud:new.txt; fp remote add --replace cloud elsewhere")
        #expect(replaced.errors.contains("cloud: changes of 1 item wait in its vault"), "\(replaced)")
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        #expect(work.read("elsewhere/new.txt") == "mine\n" && work.exists("elsewhere/keep.txt"))
        // Nothing waits any more.
        #expect(try work.fp("remote", "add", "--replace", "cloud", "elsewhere").errors.isEmpty)
    }

    @Test(arguments: ["data", "data/deeper/still", "link"])
    func aVaultIsNotKeptInsideOfItself(place: String) throws {
        try work.write("cloud/data/f")
        _ = try work.program.shell("ln -s cloud/data link")
        work.program.environment["XDG_DATA_HOME"] =
            work.folder.appending(path: place == "link" ? place : "cloud/\(place)").path
        let refused = try work.fp("vault", "open", "cloud")
        #expect(refused.status != 0 && refused.errors.contains("would be inside it"), "\(refused)")
        #expect(try work.names("cloud/data") == ["f"])
    }

    @Test(arguments: ["sync", "status", "conflicts", "resolve"])
    func whatIsAboutAWholeVaultTakesNoPath(command: String) throws {
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let more = command == "resolve" ? ["conflict:1", "replace"] : []
        let refused = try work.program.run(["vault", command, "cloud:keep.txt"] + more)
        #expect(refused.status != 0 && refused.errors.contains("a vault is of a whole remote"), "\(refused)")
    }

    @Test func aFileKeepsItsTime() throws {
        let time = 1_500_000_000
        try work.write("old.txt", "old", modified: Double(time))
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        #expect(try work.fp("vault", "put", "old.txt", "cloud:old.txt").status == 0)
        #expect(try work.program.shell("stat -c %Y cloud/old.txt").text == "\(time)\n")
        // What replaces another is newer than that, or others would take it for an older version that came back.
        try work.write("older.txt", "older", modified: Double(time - 1))
        #expect(try work.fp("vault", "put", "older.txt", "cloud:old.txt").status == 0)
        #expect(try Int(work.program.shell("stat -c %Y cloud/old.txt").text.dropLast()) ?? 0 > time)
    }

    @Test func aRemovedFolderIsNotWaitedFor() throws {
        try work.write("cloud/d/e/f")
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
        let shell =
            "mv cloud away && fp vault mv cloud:d/e cloud:d/g; fp vault rm -r cloud:d; fp vault status --json cloud"
        let status = try #require(try work.program.shell(shell).objects.last)
        #expect(status["unlisted"] as? Int == 0, "\(status)")
    }

    @Test func aQueryOverAVaultIsFollowedAsJSONLines() throws {
        try work.write("cloud/photos/old.jpg")
        try work.write("cloud/elsewhere/other.jpg")
        let running = try work.program.start("watch", "cloud:photos", "--query", #"name LIKE[c] "*.jpg""#)
        #expect(running.wait { running.errorsSoFar.contains("1 item matches; watching") }, "\(running.errorsSoFar)")
        try work.write("cloud/photos/2026/new.JPG", "four")
        try work.write("cloud/photos/2026/note.txt")
        try work.write("cloud/elsewhere/new.jpg")
        #expect(running.wait { running.outputSoFar.contains("created") }, "\(running.errorsSoFar)")
        // The last news of these files come a little later; a look between the move and the news of it sees a removal.
        usleep(500_000)
        try FileManager.default.moveItem(
            at: work.folder.appending(path: "cloud/photos/2026/new.JPG"),
            to: work.folder.appending(path: "cloud/photos/moved.jpg"))
        #expect(running.wait { running.outputSoFar.contains("\"event\":\"moved\"") })
        try FileManager.default.removeItem(at: work.folder.appending(path: "cloud/photos/moved.jpg"))
        #expect(running.wait { running.outputSoFar.contains("\"event\":\"removed\"") })
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        let events = outcome.objects.filter { $0["event"] as? String != "modified" }
        #expect(events.map { $0["event"] as? String } == ["created", "moved", "removed"])
        #expect(
            events.map { $0["path"] as? String } == [
                "cloud:photos/2026/new.JPG", "cloud:photos/moved.jpg", "cloud:photos/moved.jpg",
            ])
        #expect(events[1]["from"] as? String == "cloud:photos/2026/new.JPG")
        #expect(events[2]["size"] as? Int == 4)
        #expect(!outcome.text.contains("elsewhere") && !outcome.text.contains("note.txt"))
    }

    @Test func aWatchedFolderIsFollowed() throws {
        try work.write("cloud/photos/old.jpg")
        let running = try work.program.start("watch", "cloud:photos", "--query", "TRUEPREDICATE", "--interval", "1")
        #expect(running.wait { running.errorsSoFar.contains("watching") }, "\(running.errorsSoFar)")
        let folder = work.folder.appending(path: "cloud")
        try FileManager.default.moveItem(
            at: folder.appending(path: "photos"), to: folder.appending(path: "pictures"))
        #expect(running.wait { running.outputSoFar.contains("pictures/old.jpg") }, "\(running.errorsSoFar)")
        try work.write("cloud/pictures/new.jpg")
        #expect(running.wait { running.outputSoFar.contains("pictures/new.jpg") }, "\(running.errorsSoFar)")
        try FileManager.default.removeItem(at: folder.appending(path: "pictures"))
        #expect(running.wait { running.errorsSoFar.contains("the folder is gone") }, "\(running.errorsSoFar)")
        try work.write("cloud/pictures/again.jpg")
        #expect(running.wait { running.outputSoFar.contains("again.jpg") }, "\(running.errorsSoFar)")
        kill(running.process.processIdentifier, SIGINT)
        let events = try running.wait().objects.filter { $0["event"] as? String != "modified" }
        var names: Set = ["cloud:photos/old.jpg"]
        for event in events {
            let path = try #require(event["path"] as? String)
            // What is found at both places at once has moved.
            if let former = event["from"] as? String { names.remove(former) }
            if event["event"] as? String == "removed" { names.remove(path) } else { names.insert(path) }
        }
        #expect(names == ["cloud:pictures/again.jpg"])
    }

    /// Who follows the lines by path loses nothing: a place is left before it is taken.
    @Test func aWatchTellsOfMovesInAnOrder() throws {
        for name in ["a.jpg", "b.jpg", "x.txt"] { try work.write("cloud/\(name)", name) }
        let running = try work.program.start("watch", "cloud:", "--query", #"name LIKE "*.jpg""#, "--interval", "1")
        #expect(running.wait { running.errorsSoFar.contains("2 items match; watching") }, "\(running.errorsSoFar)")
        let folder = work.folder.appending(path: "cloud")
        for (old, new) in [("b.jpg", "c.jpg"), ("a.jpg", "b.jpg"), ("x.txt", "a.jpg")] {
            try FileManager.default.moveItem(at: folder.appending(path: old), to: folder.appending(path: new))
        }
        #expect(running.wait { running.outputSoFar.contains("created") }, "\(running.errorsSoFar)")
        kill(running.process.processIdentifier, SIGINT)
        var names: Set = ["cloud:a.jpg", "cloud:b.jpg"]
        for event in try running.wait().objects {
            if let former = event["from"] as? String { #expect(names.remove(former) != nil) }
            let path = try #require(event["path"] as? String)
            if event["event"] as? String == "removed" { names.remove(path) } else { names.insert(path) }
        }
        #expect(names == ["cloud:a.jpg", "cloud:b.jpg", "cloud:c.jpg"])
    }

    @Test func aFolderThatIsNotThereIsNotWatched() throws {
        let missing = try work.fp("watch", "cloud:none", "--query", "size > 0")
        #expect(missing.status == 1 && missing.errors.contains("no such file"), "\(missing.errors)")
    }

    @Test func whatStaysWithItsFolderIsSaid() throws {
        try work.write("cloud/photos/a.jpg")
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        #expect(try work.fp("vault", "pin", "cloud:").status == 0)
        let refused = try work.fp("vault", "unpin", "cloud:photos")
        #expect(refused.status == 1 && refused.errors.contains("it stays with cloud:"), "\(refused.errors)")
        #expect(try work.fp("vault", "unpin", "cloud:").status == 0)
    }

    @Test(arguments: [[], ["--discard"]]) func onlyAWholeVaultIsErased(options: [String]) throws {
        try work.write("cloud/photos/a.jpg")
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let refused = try work.program.run(["vault", "erase"] + options + ["cloud:photos"])
        #expect(refused.status != 0 && refused.errors.contains("of a whole remote"), "\(refused.errors)")
        #expect(try work.fp("vault", "ls", "cloud:photos").lines == ["a.jpg"])
        #expect(try work.program.run(["vault", "erase"] + options + ["cloud"]).status == 0)
        #expect(try work.program.run(["vault", "erase"] + options + ["cloud"]).status != 0)
    }

    @Test func whatIsBehindAFolderThatWaitsForAnAnswerDoesToo() throws {
        try work.write("cloud/photos/a.jpg")
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        try work.write("cloud/taken", "theirs")
        try work.write("file", "mine")
        #expect(try work.fp("vault", "mkdir", "cloud:taken").status == 1)
        let behind = try work.fp("vault", "put", "file", "cloud:taken/file")
        #expect(behind.status == 1 && behind.errors.contains("waits for an answer"), "\(behind.errors)")
    }

    @Test func aVaultIsListedWithoutItsServer() throws {
        try work.write("cloud/photos/a.jpg", "three")
        #expect(try work.fp("vault", "ls", "cloud:").errors.contains("fp vault open cloud"))
        let opened = try work.fp("vault", "open", "cloud")
        #expect(opened.status == 0)
        #expect(opened.errors.contains("3 items"))
        try FileManager.default.moveItem(
            at: work.folder.appending(path: "cloud"), to: work.folder.appending(path: "away"))
        #expect(try work.fp("vault", "ls", "cloud:").lines == ["keep.txt", "photos/"])
        let long = try work.fp("vault", "ls", "-l", "cloud:photos")
        #expect(long.lines.first?.split(separator: " ").prefix(3) == ["-", "cloudOnly", "5"])
        #expect(try work.fp("vault", "ls", "--json", "cloud:photos/a.jpg").objects.first?["size"] as? Int == 5)
        #expect(try work.fp("vault", "ls", "cloud:nothing").status != 0)
        #expect(try work.fp("vault", "status", "--json", "cloud").objects.first?["items"] as? Int == 3)
        #expect(try work.fp("vault", "sync", "cloud").status != 0)
        #expect(try work.fp("vault", "ls", "cloud:").lines == ["keep.txt", "photos/"])
    }

    @Test func whatTheServerHasLostWaitsForAnAnswer() throws {
        for number in 0..<12 { try work.write("cloud/photos/\(number).jpg") }
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        try FileManager.default.removeItem(at: work.folder.appending(path: "cloud/keep.txt"))
        let ordinary = try work.fp("vault", "sync", "cloud")
        #expect(ordinary.status == 0, "\(ordinary.errors)")
        try FileManager.default.removeItem(at: work.folder.appending(path: "cloud/photos"))

        let lost = try work.fp("vault", "sync", "cloud")
        #expect(lost.status == 1)
        #expect(lost.errors.contains("no longer has 13 of 13 items"))
        #expect(try work.fp("vault", "ls", "cloud:photos").lines.count == 12)
        let issue = try #require(try work.fp("vault", "conflicts", "--json", "cloud").objects.first)
        #expect(issue["issue"] as? String == "items-vanished")
        #expect((issue["answers"] as? [String: String])?.keys.sorted() == ["keep-local", "take-server"])
        #expect(try work.fp("vault", "resolve", "cloud", "items-vanished", "perhaps").status == 1)
        #expect(try work.fp("vault", "resolve", "cloud", "items-vanished", "take-server").status == 0)
        #expect(try work.fp("vault", "conflicts", "cloud").text.isEmpty)
        #expect(try work.fp("vault", "ls", "cloud:").text.isEmpty)
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
    }

    @Test func erasingAVaultLeavesTheServer() throws {
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        #expect(try work.names(".config/data/fp").count == 1)
        #expect(try work.fp("vault", "erase", "cloud").status == 0)
        #expect(try work.names(".config/data/fp").isEmpty)
        #expect(work.exists("cloud/keep.txt"))
        #expect(try work.fp("vault", "status", "cloud").status == 2)
    }

    @Test func whatFailsOnThisMachineNamesTheFileHere() throws {
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let put = try work.fp("vault", "put", "nowhere.txt", "cloud:")
        #expect(put.status == 1 && put.errors.contains("nowhere.txt: no such file"), "\(put.errors)")
        #expect(mkfifo(work.folder.appending(path: "pipe").path, 0o600) == 0)
        let pipe = try work.fp("vault", "put", "pipe", "cloud:keep.txt")
        #expect(pipe.status == 1 && pipe.errors.contains("a pipe, socket or device"), "\(pipe.errors)")
        try work.write("file.txt")
        for command in [["put", "file.txt", "cloud:new/"], ["mv", "cloud:keep.txt", "cloud:new/"]] {
            let missing = try work.fp("vault", command[0], command[1], command[2])
            #expect(
                missing.status == 1 && missing.errors.contains("the folder that it is to be in"), "\(missing.errors)")
        }
        let get = try work.fp("vault", "get", "cloud:keep.txt", "folder/copy.txt")
        #expect(get.status == 1 && get.errors.contains("folder/copy.txt: "), "\(get.errors)")
        let part = try work.fp("vault", "open", "cloud:photos")
        #expect(part.status != 0 && part.errors.contains("whole remote"), "\(part.errors)")
    }

    @Test func whatWasRecoveredIsNotErased() throws {
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let vault = try #require(try work.names(".config/data/fp").first)
        let place = ".config/data/fp/\(vault)/recovery/2026-01-01T000000Z/edit.txt"
        try work.write(place, "mine")
        let refused = try work.fp("vault", "erase", "cloud")
        #expect(refused.status == 1 && refused.errors.contains("/recovery; move them away"), "\(refused.errors)")
        #expect(work.read(place) == "mine")
        #expect(try work.fp("vault", "erase", "--discard", "cloud").status == 0)
        #expect(!work.exists(place))
    }

    @Test func aNameThatWouldSpeakToTheTerminalIsEscapedInAnIssue() throws {
        let name = "odd\u{1B}[31m.txt"
        try work.write("cloud/\(name)", "old")
        #expect(try work.fp("vault", "open", "cloud").status == 0)
        let (server, away) = (work.folder.appending(path: "cloud"), work.folder.appending(path: "away"))
        try FileManager.default.moveItem(at: server, to: away)
        try work.write("new.txt", "mine")
        #expect(try work.fp("vault", "put", "new.txt", "cloud:\(name)").status == 0)
        try FileManager.default.moveItem(at: away, to: server)
        try work.write("cloud/\(name)", "theirs")
        let sync = try work.fp("vault", "sync", "cloud")
        #expect(sync.status == 1 && sync.errors.contains("conflict"), "\(sync.errors)")
        #expect(!sync.errors.contains("\u{1B}"), "\(sync.errors)")
    }

    /// A server of one file that tells what it has, and does nothing: it has trouble with some names, and wants to know
    /// who asks for the others.
    private func idleServer() throws -> ScriptedResponder {
        func entry(_ href: String, _ properties: String) -> String {
            "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
                + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        }
        let root = entry("/", "<d:resourcetype><d:collection/></d:resourcetype>")
        let file = entry(
            "/note.txt", "<d:resourcetype/><d:getcontentlength>4</d:getcontentlength><d:getetag>\"1\"</d:getetag>")
        return try ScriptedResponder { request in
            let entries =
                switch (request.target, request["Depth"]) {
                case ("/", "0"): root
                case ("/", _): root + file
                case ("/note.txt", _): file
                default: ""
                }
            switch request.method {
            case "OPTIONS": return .reply(200, headers: [("DAV", "1, 2")])
            case "PROPFIND" where !entries.isEmpty:
                let body = "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">\(entries)</d:multistatus>"
                return .reply(207, headers: [("Content-Type", "application/xml")], body: body)
            case "MKCOL" where request.target.hasPrefix("/troubled"): return .reply(500)
            case "MKCOL": return .reply(401)
            case "GET" where request.target == "/note.txt": return .reply(401)
            default: return .reply(404)
            }
        }
    }

    @Test func whatIsKeptThoughTheServerIsThereSaysWhy() throws {
        let server = try idleServer()
        defer { server.stop() }
        #expect(try work.fp("remote", "add", "idle", "dav://127.0.0.1:\(server.port)/").status == 0)
        let opened = try work.fp("vault", "open", "idle")
        #expect(opened.status == 0, "\(opened.errors)")
        let troubled = try work.fp("vault", "mkdir", "idle:troubled")
        #expect(troubled.status == 0 && troubled.errors.contains("kept here, and not sent yet: "), "\(troubled.errors)")
        #expect(troubled.errors.contains("500"), "\(troubled.errors)")
        let unknown = try work.fp("vault", "mkdir", "idle:unknown")
        #expect(unknown.status == 0 && unknown.errors.contains("kept here, and not sent yet: "), "\(unknown.errors)")
        #expect(unknown.errors.hasSuffix("; the answers: fp vault conflicts idle\n"), "\(unknown.errors)")
        let absent = try work.fp("vault", "get", "idle:note.txt", "note.txt")
        #expect(absent.status == 1 && absent.errors.contains("none could be fetched: "), "\(absent.errors)")
        #expect(absent.errors.hasSuffix("; the answers: fp vault conflicts idle\n"), "\(absent.errors)")
        #expect(try work.fp("vault", "status", "--json", "idle").objects.first?["unsent"] as? Int == 2)
    }

    /// Whoever watches has the vault: an answer has to wait for the end of that, and the notice says so.
    @Test func anAnswerWaitsForTheEndOfAWatch() throws {
        for number in 0..<12 { try work.write("cloud/photos/\(number).jpg") }
        let running = try work.program.start("watch", "cloud:", "--query", "TRUEPREDICATE")
        #expect(running.wait { running.errorsSoFar.contains("watching") }, "\(running.errorsSoFar)")
        let folder = work.folder.appending(path: "cloud")
        try FileManager.default.removeItem(at: folder.appending(path: "keep.txt"))
        try FileManager.default.moveItem(
            at: folder.appending(path: "photos"), to: work.folder.appending(path: "photos"))
        #expect(running.wait { running.errorsSoFar.contains("items-vanished") }, "\(running.errorsSoFar)")
        let notice = running.errorsSoFar
        #expect(notice.contains("to answer, end this and use `fp vault resolve`"), "\(notice)")
        let answer = ["vault", "resolve", "cloud", "items-vanished", "take-server"]
        #expect(try work.program.run(answer).errors.contains("open in one place at a time"))
        kill(running.process.processIdentifier, SIGTERM)
        #expect(try running.wait().status == 143)
        #expect(try work.program.run(answer).status == 0)
    }

    @Test func aVaultIsOpenInOneProgramAtATime() throws {
        let running = try work.program.start("watch", "cloud:", "--query", "TRUEPREDICATE")
        #expect(running.wait { running.errorsSoFar.contains("watching") })
        let refused = try work.fp("vault", "sync", "cloud")
        #expect(refused.status != 0)
        #expect(refused.errors.contains("open in one place at a time"))
        kill(running.process.processIdentifier, SIGTERM)
        #expect(try running.wait().status == 143)
        #expect(try work.fp("vault", "sync", "cloud").status == 0)
    }
}
