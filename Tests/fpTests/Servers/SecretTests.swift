import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TestServer("APACHE_BASIC") != nil, "needs Scripts/test-servers"), .serialized)
struct SecretTests {
    private let work: Workspace
    private let server: TestServer
    private let password = TestServer.variable("PASSWORD")
    private let user = TestServer.variable("USER")

    init() throws {
        work = try Workspace()
        server = try #require(TestServer("APACHE_BASIC"))
    }

    /// The server's location with a user.
    private func location(_ user: String) -> String { server.location.replacing("dav://", with: "dav://\(user)@") }

    @Test func withoutASecretTheRemedyIsNamed() throws {
        for place in [server.location, location(user)] {
            let outcome = try work.fp("ls", place)
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("--password-file FILE"))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func fromAFile() throws {
        try work.write("secret", "\(password)\r\nsecond line")
        #expect(try work.fp("ls", "--password-file", "secret", location(user)).status == 0)
        try work.write("wrong", "x\(password)")
        let refused = try work.fp("ls", "--password-file", "wrong", location(user))
        #expect(refused.status == 2)
        #expect(!refused.errors.contains(password))
        let piped = try work.program.shell("fp ls --password-file <(sleep 0.3; echo '\(password)') \(location(user))")
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(try work.fp("ls", "--password-file", "secret", server.location).status == 2)
    }

    /// Whose secret it is, is not known then.
    @Test(arguments: ["nosuch:x", "dav://127.0.0.1:1/x"])
    func aSecretIsNotForTheServerAfterOneThatCannotBeOpened(first: String) throws {
        try work.write("secret", "\(password)\n")
        try work.write("out/old")
        let others = ["f", "g"].map { location(user) + $0 }
        let outcome = try work.program.run(["cp", "--password-file", "secret", first] + others + ["out/"])
        #expect(outcome.status != 0)
        #expect(outcome.errors.components(separatedBy: "a password is needed").count == 3)
    }

    @Test(arguments: [
        ("missing", "no such file or directory"), (".", "Is a directory"), ("empty", "it is empty"),
        ("blank", "its first line is empty"),
    ])
    func aPasswordFileThatHoldsNone(file: String, reason: String) throws {
        try work.write("empty", "")
        try work.write("blank", "\n\(password)\n")
        let outcome = try work.fp("ls", "--password-file", file, location(user))
        #expect(outcome.status == 2)
        #expect(outcome.errors == "fp: ls: the password file \(file): \(reason)\n")
    }

    @Test func requestsAreLoggedWithoutSecrets() throws {
        work.program.environment = ["FP_PASSWORD": password, "FP_LOG": "trace"]
        try work.write("f")
        for arguments in [["ls", location(user)], ["cp", "--dry-run", "f", location(user) + "f"]] {
            let outcome = try work.program.run(arguments)
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("method=PROPFIND"), "\(outcome.errors)")
            let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
            #expect(!outcome.errors.contains(password) && !outcome.errors.contains(encoded))
        }
    }

    @Test func fromTheEnvironment() throws {
        work.program.environment["FP_PASSWORD"] = password
        #expect(try work.fp("ls", location(user)).status == 0)
        let nobody = try work.fp("ls", server.location)
        #expect(nobody.status == 2)
        let better = server.location.replacing("dav://", with: "dav://USER@")
        #expect(nobody.errors.contains("no user for it; write the user into the URL: \(better)"), "\(nobody.errors)")
        work.program.environment = ["FP_TOKEN": "nonsense"]
        #expect(try work.fp("ls", server.location).status == 2)
    }

    @Test func fromNetrc() throws {
        try work.write(".netrc", "machine 127.0.0.1\nlogin \(user)\npassword \(password)\n")
        #expect(try work.fp("ls", server.location).status == 0)
        #expect(try work.fp("ls", location(user)).status == 0)
        #expect(try work.fp("ls", location("nobody")).status == 2)
        work.program.environment["NETRC"] = "/nonexistent"
        #expect(try work.fp("ls", server.location).status == 2)
    }

    @Test func fromThePerson() throws {
        let asked = try work.program.terminal(["ls", location(user)], typing: "\(password)\\n")
        #expect(asked.status == 0, "\(asked.text)")
        #expect(asked.text.contains("Password of \(user) for "))
        #expect(!asked.text.contains(password))
        let both = try work.program.terminal(["ls", server.location], typing: "\(user)\\n\(password)\\n")
        #expect(both.status == 0, "\(both.text)")
    }

    @Test func anEmptyAnswerIsNoPassword() throws {
        let added = try work.program.terminal(["remote", "add", "box", location(user)], typing: "\\n")
        #expect(added.status != 0 && added.text.contains("no password was given"), "\(added.text)")
        #expect(try work.fp("remote", "list").text.isEmpty)
    }

    @Test func aSecretGoesToTheFirstServerOnly() throws {
        work.program.environment["FP_PASSWORD"] = password
        try work.write("f")
        let other = location(user).replacing("127.0.0.1", with: "localhost")
        let outcome = try work.fp("cp", "-r", location(user), other + "copy")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("localhost"))
    }

    @Test func theDestinationHasItsOwn() throws {
        try work.write("right", password)
        try work.write("wrong", "x\(password)")
        try work.write("f")
        let name = "fp-\(UUID())"
        let other = location(user).replacing("127.0.0.1", with: "localhost") + name
        defer { _ = try? work.fp("rm", "-f", "--password-file", "right", other) }
        let refused = try work.fp("cp", "--password-file", "right", "--dest-password-file", "wrong", "f", other)
        #expect(refused.status == 2 && !refused.errors.contains(password), "\(refused.errors)")
        // It is for the destination alone, even where that is the first server.
        #expect(try work.fp("cp", "--dest-password-file", "right", location(user), "here").status == 2)
        let copied = try work.fp("cp", "--password-file", "wrong", "--dest-password-file", "right", "f", other)
        #expect(copied.status == 0, "\(copied.errors)")
        let between = try work.fp(
            "cp", "--password-file", "right", "--dest-password-file", "right", location(user) + name, other + "2")
        #expect(between.status == 0, "\(between.errors)")
        #expect(try work.fp("rm", "--password-file", "right", other + "2").status == 0)
    }

    @Test func aSavedSecretThatIsRefusedIsNamed() throws {
        work.program.environment["FP_PASSWORD"] = "x\(password)"
        #expect(try work.fp("remote", "add", "srv", location(user)).status == 0)
        work.program.environment["FP_PASSWORD"] = password
        let outcome = try work.fp("ls", "srv:")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("with the saved secret; `fp remote add --replace srv URL` saves another\n"))
        #expect(outcome.errors.hasPrefix("fp: ls: srv: "), "\(outcome.errors)")
    }

    @Test func aSavedRemoteKeepsIt() throws {
        work.program.environment["FP_PASSWORD"] = password
        #expect(try work.fp("remote", "add", "srv", location(user)).status == 0)
        work.program.environment = [:]
        #expect(try work.fp("ls", "srv:").status == 0)
        #expect(try work.fp("remote", "test", "srv").text.hasPrefix("srv: works (WebDAV"))
    }
}
