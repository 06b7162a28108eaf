import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"), .serialized)
struct WebDAVTests {
    private let work: Workspace
    private let folder = "fp-\(UUID().uuidString)"

    init() throws { work = try Workspace() }

    private func with(_ server: TestServer, _ body: (String) throws -> Void) throws {
        let location = server.location + folder
        defer { _ = try? work.fp("rm", "-rf", location) }
        #expect(try work.fp("mkdir", location).status == 0)
        try body(location)
    }

    /// A server has two names: what is moved from one to the other is the same.
    @Test(.enabled(if: TestServer("APACHE") != nil), arguments: [[], ["--overwrite"]])
    func whatIsMovedOntoItselfStays(options: [String]) throws {
        try work.write("tree/a", "only")
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appendingPathComponent("alias").path, withDestinationPath: "tree")
        try with(try #require(TestServer("APACHE"))) { (location: String) throws in
            #expect(try work.fp("cp", "-r", "tree", "\(location)/tree").status == 0)
            #expect(try work.fp("mkdir", "\(location)/tree/empty").status == 0)
            let alias = location.replacing("127.0.0.1", with: "localhost")
            try #require(alias != location)
            let moves = [["\(alias)/tree/a", "\(location)/tree/a"], ["\(alias)/tree", location]]
            for move in moves {
                let moved = try work.program.run(["mv"] + options + move)
                #expect(moved.status == 1 && moved.errors.contains("the same"), "\(moved.errors)")
                #expect(try work.fp("cat", "\(location)/tree/a").text == "only")
                #expect(try work.fp("ls", "-a", "\(location)/tree").lines.sorted() == ["a", "empty/"])
            }
        }
    }

    @Test(arguments: TestServer.all)
    func treesComeBackAsTheyWent(server: TestServer) throws {
        try work.write("tree/a b%c.txt", "one", modified: 1_500_000_000)
        try work.write("tree/ünï/日本", "two")
        try work.write("tree/empty", "")
        try FileManager.default.createDirectory(
            at: work.folder.appendingPathComponent("tree/nothing"), withIntermediateDirectories: true)
        try Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(
            to: work.folder.appendingPathComponent("tree/big"))
        try with(server) { (location: String) throws in
            let there = try work.fp("cp", "-r", "tree", "\(location)/tree")
            #expect(there.status == 0, "\(there.errors)")
            let back = try work.fp("cp", "-r", "--verify", "readback", "\(location)/tree", "back")
            #expect(back.status == 0, "\(back.errors)")
            let difference = try work.program.shell("diff -r tree back")
            #expect(difference.status == 0, "\(difference.text)")
            let again = try work.fp("cp", "-r", "--json", "tree", "\(location)/tree")
            #expect(again.status == 0, "\(again.errors)")
        }
    }

    /// The removal of a folder takes with it what is in it, listed or not.
    @Test(arguments: TestServer.all, [".unlisted", ".fp-0123456789abc.tmp"])
    func whatWasNotMovedIsNotRemovedWithItsFolder(server: TestServer, name: String) throws {
        try work.write("tree/sub/a", "one")
        try with(server) { (location: String) throws in
            #expect(try work.fp("cp", "-r", "tree", "\(location)/tree").status == 0)
            let hidden = URL(filePath: "\(server.folder)/\(folder)/tree/sub/\(name)")
            try Data("theirs".utf8).write(to: hidden)
            let moved = try work.fp("mv", "\(location)/tree", "back")
            #expect(work.read("back/sub/a") == "one")
            if moved.status == 0 {
                #expect(work.read("back/sub/\(name)") == "theirs")
            } else {
                #expect(moved.errors.contains("it stays: "), "\(moved.errors)")
                #expect(try Data(contentsOf: hidden) == Data("theirs".utf8))
                try FileManager.default.removeItem(at: hidden)
            }
        }
    }

    /// As after a move that was interrupted, and whose journal is gone.
    @Test(arguments: TestServer.all)
    func whatIsAtTheTargetAlreadyLeavesTheServer(server: TestServer) throws {
        try work.write("a", "the same", modified: 1_500_000_000)
        try with(server) { (location: String) throws in
            #expect(try work.fp("cp", "a", "\(location)/a").status == 0)
            #expect(try work.fp("cp", "--overwrite", "\(location)/a", "a").status == 0)
            let moved = try work.fp("mv", "\(location)/a", ".")
            #expect(moved.status == 0, "\(moved.errors)")
            #expect(work.read("a") == "the same")
            #expect(try work.fp("ls", "-a", location).text.isEmpty)
        }
    }

    /// A link that the server follows shows the source itself as the target, with a name of its own.
    @Test(arguments: TestServer.all)
    func whatALinkOfTheServerShowsIsNotMovedAway(server: TestServer) throws {
        try with(server) { (location: String) throws in
            let place = URL(filePath: "\(server.folder)/\(folder)")
            try Data("only".utf8).write(to: place.appending(path: "data"))
            try FileManager.default.createSymbolicLink(
                atPath: place.appending(path: "latest").path, withDestinationPath: "data")
            _ = try work.fp("mv", place.appending(path: "data").path, "\(location)/latest")
            let kept = ["data", "latest"].compactMap { try? Data(contentsOf: place.appending(path: $0)) }
            #expect(kept.contains(Data("only".utf8)))
        }
    }

    @Test(arguments: TestServer.all.filter { $0.name != "NGINX" })
    func aFolderLeavesTheServer(server: TestServer) throws {
        try work.write("tree/a", "one")
        try work.write("tree/sub/b", "two")
        try with(server) { (location: String) throws in
            #expect(try work.fp("cp", "-r", "tree", "\(location)/tree").status == 0)
            let moved = try work.fp("mv", "\(location)/tree", "back")
            #expect(moved.status == 0, "\(moved.errors)")
            #expect(try work.program.shell("diff -r tree back").status == 0)
            #expect(try work.fp("ls", "-a", location).text.isEmpty)
            #expect(try work.fp("transfers", "list").text.isEmpty)
        }
    }

    @Test(arguments: TestServer.all)
    func whatIsInNoFolderIsNotThere(server: TestServer) throws {
        try with(server) { (location: String) throws in
            for arguments in [["mv", "\(location)/no/a", "\(location)/no/b"], ["rm", "\(location)/no/a"]] {
                let outcome = try work.program.run(arguments)
                #expect(outcome.status == 1 && outcome.errors.contains("/no/a: no such file"), "\(outcome.errors)")
            }
            #expect(try work.fp("rm", "-rf", "\(location)/no/a").status == 0)
        }
    }

    @Test(arguments: TestServer.all)
    func whatOnlyLooksTheSameIsReplacedWhenAskedAndNeverMovedAway(server: TestServer) throws {
        try with(server) { (location: String) throws in
            try work.write("x", "theirs")
            #expect(try work.fp("cp", "x", "\(location)/y").status == 0)
            try work.write("y", "mine!!", modified: 1_400_000_000)
            let move = try work.fp("mv", "--verify", "size", "y", location)
            #expect(move.status == 1)
            #expect(work.exists("y"))
            #expect(try work.fp("cat", "\(location)/y").text == "theirs")
            let copy = try work.fp("cp", "--overwrite", "y", location)
            #expect(copy.status == 0, "\(copy.errors)")
            #expect(try work.fp("cat", "\(location)/y").text == "mine!!")
        }
    }

    @Test func namesThatTheServerCannotHoldAreRefusedOrMappedThereAndBack() throws {
        let server = try #require(TestServer("NGINX"))
        try work.write("tree/.hidden", "h")
        try work.write("tree/plain", "p")
        try with(server) { (location: String) throws in
            let refused = try work.fp("cp", "-r", "tree", "\(location)/tree")
            #expect(refused.status == 1)
            #expect(refused.errors.contains(".hidden: invalid name"), "\(refused.errors)")
            #expect(try work.fp("ls", "-a", "\(location)/tree").text == "plain\n")
            let foreseen = try work.fp("mv", "-n", "\(location)/tree/plain", "\(location)/tree/.plain")
            #expect(foreseen.status == 1 && foreseen.errors.contains(".plain: invalid name"), "\(foreseen.errors)")
            #expect(try work.fp("cp", "-r", "--names", "map", "tree", "\(location)/tree").status == 0)
            #expect(try work.fp("ls", "--sort", "name", "\(location)/tree").lines == ["=fp=%2Ehidden", "plain"])
            #expect(try work.fp("cp", "-r", "--names", "map", "\(location)/tree", "back").status == 0)
            #expect(try work.program.shell("diff -r tree back").status == 0)
        }
    }

    /// Where what is above it is no part of the storage; the others show folders up to the root.
    @Test(arguments: TestServer.all.filter { ["APACHE", "SABRE", "WSGIDAV"].contains($0.name) })
    func theTopOfAServerIsNotRemoved(server: TestServer) throws {
        let outcome = try work.fp("rm", "-r", server.location)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("this is the storage's root; --no-preserve-root insists"))
    }

    @Test(arguments: TestServer.all)
    func commands(server: TestServer) throws {
        try work.write("a", "0123456789")
        try with(server) { (location: String) throws in
            #expect(try work.fp("cp", "a", location).status == 0)
            #expect(try work.fp("ls", location).text == "a\n")
            #expect(try work.fp("ls", "\(location)/a").text == "\(location)/a\n")
            #expect(try work.fp("cat", "--offset", "2", "--length", "3", "\(location)/a").text == "234")
            #expect(try work.fp("stat", "--json", "\(location)/a").objects.first?["size"] as? Int == 10)
            #expect(try work.fp("find", location, "fileSize = 10").text == "\(location)/a\n")
            #expect(
                try work.fp("hash", "\(location)/a").text.hasPrefix(
                    "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882  "))
            #expect(try work.fp("mkdir", "-p", "\(location)/x/y").status == 0)
            #expect(try work.fp("mv", "\(location)/a", "\(location)/x").status == 0)
            #expect(try work.fp("ls", "-R", "--sort", "name", location).lines == ["x/", "x/a", "x/y/"])
            #expect(try work.fp("du", "-s", location).text == "10\t\(location)\n")
            #expect(try work.fp("mv", "\(location)/x/a", "here").status == 0)
            #expect(work.read("here") == "0123456789")
            #expect(try work.fp("ls", "\(location)/x").text == "y/\n")
            #expect(try work.fp("rm", "\(location)/x").status == 1)
            #expect(
                try work.fp("ls", "\(location)/missing").errors
                    .hasPrefix("fp: ls: \(location)/missing: no such file or directory"))
        }
    }

    @Test func listingTakesOneRequest() throws {
        let server = try #require(TestServer("APACHE"))
        try with(server) { (location: String) throws in
            try work.write("f")
            for name in 0..<5 { #expect(try work.fp("cp", "f", "\(location)/\(name)").status == 0) }
            let before = try TestServer.requests(of: "APACHE", about: folder).count
            #expect(try work.fp("ls", location).lines.count == 5)
            usleep(200_000)
            let requests = try TestServer.requests(of: "APACHE", about: folder).dropFirst(before)
            #expect(requests.count == 1, "\(requests)")
        }
    }
}
