import Foundation
import Testing

@Suite struct RemoteTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("stick/x/a", "aa")
    }

    private func list() throws -> URL { work.folder.appendingPathComponent(".config/fp/remotes.json") }

    @Test func aSavedFolder() throws {
        #expect(try work.fp("remote", "add", "usb", "stick").status == 0)
        #expect(try work.fp("ls", "usb:").text == "x/\n")
        #expect(try work.fp("find", "usb:x", "fileSize = 2").text == "usb:x/a\n")
        #expect(try work.fp("cat", "usb:x/a").text == "aa")
        #expect(try work.fp("ls", "usb:../").status == 2)
        #expect(try work.fp("remote", "list").lines.first?.hasPrefix("usb  Local  file:///") == true)
        #expect(try work.fp("remote", "test", "usb").status == 0)
        #expect(try work.fp("remote", "remove", "usb").status == 0)
        #expect(try work.fp("ls", "usb:").status == 2)
        #expect(work.exists("stick/x/a"))
    }

    @Test(arguments: [
        "dav://anna@127.0.0.1:1/d/e%20f", "davs://anna@cloud.example/remote.php/dav/files/anna/photos", "davs://host/",
        "davs://localhost:8443/x", "dav://host:443/x",
        "sftp://anna@host:2222/~/x", "sftp://host/x", "gallery+https://host/category", "mem:store/x",
    ])
    func theListShowsLocations(location: String) throws {
        #expect(try work.fp("remote", "add", "--no-password", "x", location).status == 0)
        #expect(try work.fp("remote", "list", "--json").objects.first?["url"] as? String == location)
    }

    @Test func aPasswordThatNobodyGaveIsMissed() throws {
        let outcome = try work.fp("remote", "add", "srv", "dav://anna@127.0.0.1:1/d")
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("fp: remote add: srv: saved without a password"))
        for arguments in [["--no-password", "dav://anna@127.0.0.1:1/d"], ["sftp://anna@host/"], ["dav://host/"]] {
            let outcome = try work.program.run(["remote", "add", "--replace", "srv"] + arguments)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }
    }

    @Test func secretsAreSealed() throws {
        work.program.environment["FP_PASSWORD"] = "hunter2"
        #expect(try work.fp("remote", "add", "srv", "dav://anna@127.0.0.1:1/d").status == 0)
        work.program.environment["FP_PASSWORD"] = nil
        for command in ["show", "test", "remove"] {
            let unknown = try work.fp("remote", command, "nobody")
            #expect(unknown.errors == "fp: remote \(command): nobody: no such remote; see `fp remote list`\n")
        }
        let shown = try work.fp("remote", "show", "srv")
        #expect(shown.text.contains("password of anna"))
        #expect(!shown.text.contains("hunter2"))
        let folder = try list().deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.appendingPathComponent(name).path
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("hunter2".utf8)) == nil)
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        }
        #expect(try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o700)
        // The secret is used: the connection is tried, and nobody asks for a password.
        #expect(try work.fp("ls", "srv:").errors.contains("cannot connect"))
    }

    @Test func aRemoteIsReplacedWithoutItsSecret() throws {
        work.program.environment["FP_PASSWORD"] = "hunter2"
        #expect(try work.fp("remote", "add", "srv", "dav://anna@127.0.0.1:1/d").status == 0)
        let identifier = try work.fp("remote", "show", "srv").lines.first { $0.contains("\"id\"") }
        work.program.environment["FP_PASSWORD"] = nil
        #expect(try work.fp("remote", "add", "srv", "dav://anna@127.0.0.1:2/d").status == 2)
        let replaced = try work.fp("remote", "add", "--replace", "--no-password", "srv", "dav://anna@127.0.0.1:2/d")
        #expect(replaced.status == 0, "\(replaced.errors)")
        let shown = try work.fp("remote", "show", "srv")
        #expect(shown.text.contains("127.0.0.1:2/") && !shown.text.contains("password of anna"))
        #expect(shown.lines.contains(try #require(identifier)))
        #expect(try work.fp("remote", "list").lines.count == 1)
    }

    /// A key that is gone, as after a backup that lacks it was restored, concerns only what has secrets.
    @Test func secretsWithoutTheirKeyAreInNobodysWay() throws {
        work.program.environment["FP_PASSWORD"] = "hunter2"
        #expect(try work.fp("remote", "add", "srv", "dav://anna@127.0.0.1:1/d").status == 0)
        work.program.environment["FP_PASSWORD"] = nil
        #expect(try work.fp("remote", "add", "open", "dav://127.0.0.1:1/d").status == 0)
        try FileManager.default.removeItem(at: list().deletingLastPathComponent().appending(path: "key"))
        #expect(try work.fp("ls", "open:").errors.contains("cannot connect"))
        let refused = try work.fp("ls", "srv:")
        #expect(refused.status == 2 && refused.errors.contains("credentials.sealed"), "\(refused.errors)")
        #expect(refused.errors.contains("without that file, `fp remote add --replace`"), "\(refused.errors)")
        for name in ["srv", "open"] { #expect(try work.fp("remote", "remove", name).status == 0) }
    }

    @Test func entriesOfOtherProgramsStay() throws {
        let folder = try list().deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(
            #"[{"future":[1,2.5,null,true]},{"id":"4E2A7C62-33C4-4C52-9F0C-2D8E5C0B0001","name":"old","type":"Gopher","root":"/","configuration":{"x":1},"extra":"kept"}]"#
                .utf8
        )
        .write(to: list())
        #expect(try work.fp("remote", "add", "usb", "stick").status == 0)
        #expect(try work.fp("remote", "remove", "usb").status == 0)
        let text = try String(contentsOf: list(), encoding: .utf8)
        #expect(
            text.contains("\"future\"") && text.contains("2.5") && text.contains("\"kept\"") && text.contains("Gopher"))
        #expect(try work.fp("remote", "list").text.contains("old"))
        #expect(try work.fp("ls", "old:").errors.contains("Gopher"))
    }

    @Test(arguments: ["mem", "a:b", "a/b", "-x", ".x", "", "a\nb"])
    func namesThatCannotBe(name: String) throws {
        #expect(try work.fp("remote", "add", name, "stick").status != 0)
    }

    @Test func namesAreTakenOnce() throws {
        #expect(try work.fp("remote", "add", "usb", "stick").status == 0)
        #expect(try work.fp("remote", "add", "usb", "stick").status == 2)
    }

    @Test func damagedSecretsAreNamedAndStay() throws {
        work.program.environment["FP_PASSWORD"] = "hunter2"
        let location = "dav://anna@127.0.0.1:1/d"
        #expect(try work.fp("remote", "add", "srv", location).status == 0)
        let file = ".config/fp/credentials.sealed"
        try work.write(file, "damaged")
        for arguments in [["ls", "srv:"], ["cp", "srv:a", "b"]] {
            let outcome = try work.program.run(arguments)
            #expect(outcome.status == 2 && outcome.errors.contains(": its saved secret cannot be read"))
            #expect(outcome.errors.contains("/\(file)"), "\(outcome.errors)")
        }
        #expect(try work.fp("remote", "add", "other", location).status != 0)
        #expect(work.read(file) == "damaged")
    }

    @Test func aDamagedListIsAnErrorAndStays() throws {
        let folder = try list().deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{oops".utf8).write(to: list())
        for arguments in [
            ["remote", "add", "usb", "stick"], ["ls", "usb:"], ["remote", "list"], ["cp", "usb:a", "b"],
        ] {
            let outcome = try work.program.run(arguments)
            #expect(
                outcome.status == 2 && outcome.errors.contains("/.config/fp/remotes.json: it is damaged"),
                "\(outcome.errors)")
        }
        #expect(try String(contentsOf: list(), encoding: .utf8) == "{oops")
    }

    /// As where a stick is not mounted.
    @Test(arguments: ["cp", "mv"])
    func aFileDoesNotBecomeARemoteWhoseFolderIsMissing(command: String) throws {
        try work.write("f", "text")
        #expect(try work.fp("remote", "add", "usb", "missing").status == 0)
        let outcome = try work.fp(command, "f", "usb:")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("no such"))
        #expect(!work.exists("missing") && work.exists("f"))
        try FileManager.default.createDirectory(
            at: work.folder.appendingPathComponent("missing"), withIntermediateDirectories: false)
        #expect(try work.fp(command, "f", "usb:").status == 0)
        #expect(work.read("missing/f") == "text")
    }

    @Test func filesOfOptionsAreSavedByTheirWholePaths() throws {
        try work.write("ca.pem", "")
        try work.write("hosts", "")
        #expect(try work.fp("remote", "add", "c", "davs://host/", "--cacert", "ca.pem").status == 0)
        #expect(try work.fp("remote", "add", "s", "sftp://me@host/", "--known-hosts", "hosts").status == 0)
        let list = try String(contentsOf: list(), encoding: .utf8)
        for name in ["ca.pem", "hosts"] { #expect(list.contains("/\(name)\"")) }
    }
}
