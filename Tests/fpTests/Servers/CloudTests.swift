import FileProviderTesting
import Foundation
import TestSupport
import Testing

/// Sharing, trash and versions from the command line, on servers that speak as the three products do.
@Suite(.enabled(if: !TestServer.clouds.isEmpty, "needs Scripts/test-servers")) struct CloudTests {
    /// A workspace, and a folder on the server that goes away with it.
    private func withFolder(_ server: TestServer, _ body: (Program, String) throws -> Void) throws {
        let workspace = try Workspace()
        let program = Program(
            folder: workspace.folder, environment: ["FP_PASSWORD": TestServer.variable("PASSWORD")])
        let user = TestServer.variable("USER")
        let location =
            server.location.replacing("://", with: "://\(user)@") + "fp-\(UInt64.random(in: 0 ... .max))"
        let made = try program.run("mkdir", location)
        try #require(made.status == 0, "\(made.errors)")
        try body(program, location)
        let removed = try program.run("rm", "-r", location)
        #expect(removed.status == 0, "\(removed.errors)")
        withExtendedLifetime(workspace) {}
    }

    @Test(arguments: TestServer.clouds)
    func aLinkIsPrintedListedAndEnded(server: TestServer) throws {
        try withFolder(server) { program, location in
            let link = try program.run("share", location)
            #expect(link.status == 0 && link.text.hasPrefix("http"), "\(link.errors)")
            #expect(try program.run("share", location).text == link.text, "the same again")
            let dated = try program.run("share", "link", "--expires", "2099-12-31", "--name", "late", location)
            #expect(dated.status == 0 && dated.text != link.text, "\(dated.errors)")
            let listed = try program.run("share", "list", "--json", location).objects
            #expect(listed.count == 2 && listed.allSatisfy { $0["kind"] as? String == "link" })
            #expect(
                listed.contains {
                    $0["name"] as? String == "late" && ($0["allow"] as? String)?.hasPrefix("read") == true
                })
            let ids = listed.compactMap { $0["id"] as? String }
            let ended = try program.run(["share", "end", location] + ids)
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(try program.run("share", "list", location).text.isEmpty)
        }
    }

    @Test(arguments: TestServer.clouds)
    func aFileIsNoFolder(server: TestServer) throws {
        try withFolder(server) { program, location in
            try Data("x".utf8).write(to: program.folder.appending(path: "f"))
            let copied = try program.run("cp", "f", "\(location)/f")
            #expect(copied.status == 0, "\(copied.errors)")
            for command in [["stat"], ["ls"], ["cat"], ["rm", "-r"]] {
                #expect(try program.run(command + ["\(location)/f/"]).status != 0, "\(command)")
            }
            #expect(try program.run("mv", "\(location)/f/", "\(location)/g").status != 0)
            #expect(try program.run("ls", location).text == "f\n")
        }
    }

    @Test(arguments: TestServer.clouds)
    func aTestOfARemoteSaysWhomTheServerKnowsAndWhereItsSpacesAre(server: TestServer) throws {
        try withFolder(server) { program, location in
            let added = try program.run("remote", "add", "home", location)
            try #require(added.status == 0, "\(added.errors)")
            let lines = try program.run("remote", "test", "home").lines
            #expect(lines.first?.hasPrefix("home: works (WebDAV, ") == true)
            #expect(lines.first?.hasSuffix(", account tester, Tester)") == true)
            let places = lines.dropFirst().compactMap { $0.split(separator: ": ").last.map(String.init) }
            #expect(places.isEmpty == !server.description.contains("OPENCLOUD"))
            if let place = places.first {
                let name = try #require(location.split(separator: "/").last)
                #expect(try program.run("ls", place).lines.contains("\(name)/"))
            }
        }
    }

    @Test(arguments: TestServer.clouds)
    func whatChangesOnItsWayIsNoticedByTheHashThatTheServerTells(server: TestServer) throws {
        try withFolder(server) { program, location in
            let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
            try bytes.write(to: program.folder.appendingPathComponent("a"))
            #expect(try program.run("cp", "a", location + "/a").status == 0)
            let port = try #require(server.url.port)
            let proxy = try FaultProxy(to: port) { _ in FaultProxy.Faults(toClient: [.corrupt(at: 300_000)]) }
            defer { proxy.stop() }
            let far = location.replacing(":\(port)/", with: ":\(proxy.port)/") + "/a"
            let damaged = try program.run("cp", "--verify", "hash", far, "b")
            #expect(damaged.status == 1 && damaged.errors.contains("changed on the way"), "\(damaged.errors)")
            #expect(!FileManager.default.fileExists(atPath: program.folder.appendingPathComponent("b").path))
            #expect(try program.run("cp", "--verify", "hash", location + "/a", "b").status == 0)
            #expect(try Data(contentsOf: program.folder.appendingPathComponent("b")) == bytes)
        }
    }

    @Test(arguments: TestServer.clouds)
    func somethingIsSharedWithSomeone(server: TestServer) throws {
        try withFolder(server) { program, location in
            let found = try program.run("share", "find", location, "oth")
            #expect(found.text.contains("other"), "\(found.errors)")
            let shared = try program.run("share", "with", "--allow", "read,update", location, "other")
            #expect(shared.status == 0 && !shared.text.isEmpty, "\(shared.errors)")
            let unknown = try program.run("share", "with", location, "nobody-here")
            #expect(unknown.status == 1 && unknown.errors.contains("user"), "\(unknown.errors)")
            #expect(try program.run("share", "list", location).text.contains("read,update"))
        }
    }

    @Test(arguments: TestServer.clouds)
    func aRemovedFileComesBackAndAnOverwrittenOneToo(server: TestServer) throws {
        try withFolder(server) { program, location in
            let file = "\(location)/a.txt"
            for text in ["first", "second text"] {
                try Data(text.utf8).write(to: program.folder.appendingPathComponent("a.txt"))
                let copied = try program.run("cp", "--overwrite", "a.txt", file)
                #expect(copied.status == 0, "\(copied.errors)")
            }
            let versions = try program.run("versions", "--json", file)
            let id = try #require(versions.objects.first?["id"] as? String, "\(versions.errors)")
            #expect(try program.run("versions", "cat", file, id).text == "first")
            #expect(try program.run("versions", "restore", file, id).status == 0)
            #expect(try program.run("cat", file).text == "first")

            #expect(try program.run("trash", "put", file).status == 0)
            #expect(try program.run("cat", file).status == 1)
            let trashed = try program.run("trash", "list", "--json", location).objects
            let path = try #require(URL(string: file)?.path())
            let item = try #require(
                trashed.first { path.hasSuffix($0["path"] as? String ?? "?") }?["id"] as? String, "\(trashed)")
            let restored = try program.run("trash", "restore", item, location)
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(try program.run("cat", file).text == "first")
        }
    }

    @Test(arguments: TestServer.clouds)
    func anItemIsFoundByItsIdentifier(server: TestServer) throws {
        try withFolder(server) { program, location in
            try Data("text".utf8).write(to: program.folder.appendingPathComponent("f"))
            #expect(try program.run("mkdir", "\(location)/d").status == 0)
            for name in ["f", "d/g"] { #expect(try program.run("cp", "f", "\(location)/\(name)").status == 0) }
            #expect(try program.run("remote", "add", "cloud", location).status == 0)
            func id(_ path: String) throws -> String {
                let id = try program.run("stat", "--json", "cloud:\(path)").objects.first?["id"] as? String
                return "cloud:{id:\(try #require(id))}"
            }
            let (file, folder) = (try id("f"), try id("d"))
            #expect(try program.run("mv", "cloud:f", "cloud:d/moved").status == 0)
            let found = try program.run("stat", "--json", file)
            #expect(found.objects.first?["name"] as? String == "moved", "\(found.errors)")
            #expect(try program.run("cat", file).text == "text")
            #expect(try program.run("cat", "--offset", "1", "--length", "2", file).text == "ex")
            #expect(try program.run("ls", folder).lines.sorted() == ["g", "moved"])
            #expect(try program.run("cp", file, "back").status == 0)
            #expect(try program.run("cp", "-r", folder, "folder").status == 0)
            #expect(try program.shell("cat back folder/g folder/moved").text == "texttexttext")
            let inside = try program.run("cp", file, ".")
            #expect(inside.status == 0, "\(inside.errors)")
            #expect(try program.shell("cat moved").text == "text")
            #expect(try program.run("cp", file, "cloud:copy").status == 0)
            #expect(try program.run("mv", file, "cloud:f").status == 0)
            // Another installation's identifier may have the same number.
            for other in [file.replacing("}", with: "other}"), file.replacing("id:", with: "id:1x")] {
                let outcome = try program.run("rm", other)
                #expect(outcome.status == 1 && outcome.errors.contains("no such file"), "\(outcome.errors)")
            }
            #expect(try program.run("cat", file).text == "text")
            #expect(try program.run("rm", file).status == 0)
            #expect(try program.run("rm", "-r", folder).status == 0)
            #expect(try program.run("ls", "cloud:").text == "copy\n")
            for gone in [file, folder] {
                let outcome = try program.run("stat", gone)
                #expect(outcome.status == 1 && outcome.errors.contains("no such file"), "\(outcome.errors)")
            }
        }
    }

    /// Nextcloud takes no such time: there, an equal size has to do.
    @Test(arguments: TestServer.clouds)
    func aFileOf1970IsCopiedOnce(server: TestServer) throws {
        try withFolder(server) { program, location in
            let file = program.folder.appendingPathComponent("nix")
            try Data("text".utf8).write(to: file)
            let time = Date(timeIntervalSince1970: 1)
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
            for expected in ["1 file copied", "1 unchanged"] {
                let outcome = try program.run("cp", "nix", location)
                #expect(outcome.status == 0 && outcome.errors.contains(expected), "\(outcome.errors)")
            }
        }
    }

    @Test(.enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers"))
    func aPlainServerRefusesByName() throws {
        let server = try #require(TestServer("APACHE"))
        let work = try Workspace()
        for (command, word) in [("share", "shares"), ("versions", "versions")] {
            let refused = try work.fp(command, server.location)
            #expect(refused.status == 1 && refused.errors.contains("no \(word)"), "\(refused.errors)")
        }
        let trash = try work.fp("trash", "list", server.location)
        #expect(trash.status == 1 && trash.errors.contains("no trash"), "\(trash.errors)")
    }
}
