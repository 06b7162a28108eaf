import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing

/// SSH from the command line: what a terminal is asked, and what goes wrong on the server.
@Suite(.enabled(if: TestServer("SSHD") != nil, "needs Scripts/test-servers"), .serialized)
struct SSHTests {
    private let work: Workspace
    private let place: RemotePlace
    private let access: [String]

    init() throws {
        work = try Workspace()
        place = try #require(RemotePlace.ssh.first)
        access = try place.arguments(in: work)
    }

    /// The options that let a locked key in place of the open one.
    private func locked(_ transport: String) throws -> [String] {
        let keys = URL(filePath: TestServer.variable("SSHD_KEYS"))
        let key = work.folder.appending(path: ".config/locked")
        if !FileManager.default.fileExists(atPath: key.path) {
            try FileManager.default.copyItem(at: keys.appending(path: "id_locked"), to: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        }
        return ["--ssh", transport, "--identity", key.path] + access[2...3]
    }

    @Test(arguments: ["libssh2", "openssh"])
    func aPassphraseIsAskedForAtTheTerminal(transport: String) throws {
        let command = ["ls"] + (try locked(transport)) + [place.location()]
        let letIn = try work.program.terminal(command, answering: [("assphrase", "secret")])
        #expect(letIn.status == 0, "\(letIn.text)")
        #expect(!letIn.text.contains("secret"))
        let refused = try work.program.terminal(
            command, answering: Array(repeating: ("assphrase", "wrong"), count: 3))
        #expect(refused.status != 0)
        #expect(refused.text.components(separatedBy: "fp: ls:").count == 2, "\(refused.text)")
        // Without a terminal there is nobody to ask.
        #expect(try work.program.run(command).status != 0)
    }

    @Test(arguments: ["libssh2", "openssh"])
    func aKeyFileThatIsNotThereIsNamed(transport: String) throws {
        let arguments = ["--ssh", transport, "--identity", "nosuch"] + access[2...3]
        let outcome = try work.program.run(["ls"] + arguments + [place.location()])
        #expect(outcome.status == 2 && outcome.errors.contains("nosuch"), "\(outcome.errors)")
        // A password would not help.
        guard transport == "libssh2" else { return }
        let shown = try work.program.terminal(["ls"] + arguments + [place.location()], typing: "").text
        #expect(shown.contains("no key file nosuch") && !shown.contains("assword of"), "\(shown)")
    }

    /// Equal times make both folders look like one.
    @Test func `a second run shows in the times of neither folder`() throws {
        let server = try #require(TestServer("SSHD"))
        let name = "times-\(UUID().uuidString)"
        defer { _ = try? work.program.run(["rm", "-rf"] + access + [server.location + name]) }
        try work.write("s/f")
        #expect(try work.program.shell("touch -d @1500000000 s").status == 0)
        for _ in 0..<2 {
            let outcome = try work.program.run(["sync"] + access + ["s", server.location + name])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try work.program.run(["sync"] + access + [server.location + name, "back"]).status == 0)
        }
        let times = try work.program.shell("stat -c %Y s \(server.folder)/\(name) back").lines
        #expect(times == Array(repeating: "1500000000", count: 3))
    }

    @Test func `what a mirror cannot remove is named where it is on the server`() throws {
        let server = try #require(TestServer("SSHD"))
        let name = "kept-\(UUID().uuidString)"
        let (location, folder) = (server.location + name, server.folder.description + "/" + name)
        defer {
            _ = try? work.program.shell("chmod 755 \(folder)/gone/sub")
            _ = try? work.program.run(["rm", "-rf"] + access + [location])
        }
        try work.write("s/a")
        try work.write("t/gone/sub/g")
        #expect(try work.program.run(["cp", "-r"] + access + ["t", location]).status == 0)
        #expect(try work.program.shell("chmod 555 \(folder)/gone/sub").status == 0)
        let outcome = try work.program.run(
            ["sync", "--delete", "--max-delete", "100%"] + access + ["s", location])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("fp: sync: \(location)/gone/sub/g: permission denied"), "\(outcome.errors)")
    }

    @Test func requestsAreLogged() throws {
        work.program.environment["FP_LOG"] = "debug"
        let outcome = try work.program.run(["ls"] + access + [place.location()])
        #expect(outcome.errors.contains("request=opendir"), "\(outcome.errors)")
    }

    @Test(.enabled(if: TestServer("SSHASKING") != nil), arguments: ["libssh2", "openssh"])
    func theServersQuestionsAreAskedAtTheTerminal(transport: String) throws {
        let asking = RemotePlace(server: try #require(TestServer("SSHASKING")), transport: transport)
        let command = ["ls"] + (try asking.arguments(in: work)) + [asking.location()]
        let letIn = try work.program.terminal(
            command, answering: [("Secret word: ", TestServer.variable("PASSWORD")), ("Sum of 1 and 2: ", "3")])
        #expect(letIn.status == 0, "\(letIn.text)")
        // The OpenSSH client says this where nobody sees it, on its standard error.
        if transport == "libssh2" { #expect(letIn.text.contains("Two questions")) }
        #expect(!letIn.text.contains(TestServer.variable("PASSWORD")))
        // Only the answer to the second question may be seen.
        #expect(letIn.text.contains("Sum of 1 and 2: 3"), "\(letIn.text)")
        #expect(try work.program.run(command).status != 0)
    }

    @Test(.enabled(if: !TestServer.variable("SSHD_SMALL_ROOT").isEmpty, "takes root to mount a small file system"))
    func aFullDiskOnTheServer() throws {
        let small = TestServer.variable("SSHD_SMALL_ROOT") + "/fp-\(UUID().uuidString)"
        let location = place.location().replacing("\(place.server.folder)/", with: small)
        func fp(_ command: String, _ words: String...) throws -> Program.Outcome {
            try work.program.run([command] + access + words)
        }
        defer { _ = try? fp("rm", "-rf", location) }
        try work.write("old", "old\n")
        #expect(try fp("mkdir", location).status == 0)
        #expect(try fp("cp", "old", "\(location)/file").status == 0)
        try Data(count: 20_000_000).write(to: work.folder.appending(path: "big"))
        for target in ["file", "new"] {
            let outcome = try fp("cp", "--overwrite", "big", "\(location)/\(target)")
            #expect(outcome.status == 1, "\(outcome.errors)")
            let lines = outcome.errors.split(separator: "\n").filter { $0.contains("://") }
            #expect(lines.count == 1 && lines.first?.contains("full") == true, "\(outcome.errors)")
        }
        #expect(try String(contentsOfFile: small + "/file", encoding: .utf8) == "old\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: small) == ["file"])
        #expect(try fp("df", location).status == 0)
    }

    /// What could not be taken away while the server was gone, the next run takes away.
    @Test func aServerThatDiesInMidCopyAndComesBack() throws {
        let isDead = Locked(false)
        let proxy = try FaultProxy(to: place.port) { _ in
            FaultProxy.Faults(toServer: [isDead.withLock { $0 } ? .cut(after: 0) : .trickle(bytesPerSecond: 2 << 20)])
        }
        defer { proxy.stop() }
        for index in 0..<40 { try work.write("tree/\(index)", String(repeating: "x", count: 200_000)) }
        let name = "died-\(UUID())"
        let (there, access) = (
            place.location(through: proxy.port) + name, try place.arguments(in: work, through: proxy.port)
        )
        let copy = ["cp", "-r", "--timeout", "5"] + access + ["tree", there]
        let running = try work.program.start(copy)
        #expect(running.wait { proxy.traffic.bytesToServer > 2 << 20 })
        isDead.withLock { $0 = true }
        proxy.cutConnections()
        #expect((1...2).contains(try running.wait().status))
        isDead.withLock { $0 = false }
        let again = try work.program.run(copy)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try work.program.shell("diff -r tree \(place.server.folder)/\(name)").text == "")
        #expect(try work.program.run(["rm", "-r"] + access + [there]).status == 0)
    }

    @Test(.enabled(if: TestServer("SSHODD") != nil))
    func aPasswordLeavesNothingBehind() throws {
        let odd = RemotePlace(server: try #require(TestServer("SSHODD")), transport: "openssh")
        let folder = work.folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        work.program.environment["TMPDIR"] = folder.path
        work.program.environment["FP_PASSWORD"] = TestServer.variable("PASSWORD")
        let outcome = try work.program.run(["ls"] + odd.arguments(in: work) + [odd.location()])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    /// Only trying shows the next program that the times there are not the files' own.
    @Test(.enabled(if: TestServer("SSHODD") != nil), arguments: ["refusing", "unheeding"])
    func aCopyIsTheSameWhereNoTimesAreKept(manner: String) throws {
        let odd = RemotePlace(server: try #require(TestServer("SSHODD")), transport: "libssh2")
        let (access, name) = (try odd.arguments(in: work), "times-\(UUID().uuidString)")
        let there = odd.location() + "\(name)/\(manner)/"
        #expect(try work.program.run(["mkdir", "-p"] + access + [there]).status == 0)
        _ = try work.program.shell("mkdir tree && echo one >tree/a && echo two >tree/b && touch -d 2020-01-01 tree/*")
        for (index, command) in [["cp", "-r"], ["cp", "-r"], ["sync"]].enumerated() {
            // A new file has the time that it was given, as all have here when they are written.
            if index == 1 { _ = try work.program.shell("echo three >tree/c") }
            let outcome = try work.program.run(command + access + ["--json", "tree", there + "tree"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("\"event\":\"copied\"") == (index < 2), "\(outcome.text)")
        }
        // What has been changed since is not the same.
        _ = try work.program.shell("echo new >tree/a")
        #expect(try work.program.run(["cp", "-r"] + access + ["tree", there + "tree"]).status == 1)
        #expect(try work.program.shell("ls -A \(odd.server.folder)/\(name)/\(manner)/tree").text == "a\nb\nc\n")
    }

    /// A server that keeps times is tried too, and an older file is no copy there.
    @Test func anOlderFileIsNoCopyWhereTimesAreKept() throws {
        let there = place.location() + "times-\(UUID().uuidString)/"
        #expect(try work.program.run(["mkdir"] + access + [there]).status == 0)
        _ = try work.program.shell("echo one >a && touch -d 2020-01-01 a && echo two >b")
        #expect(try work.program.run(["cp"] + access + ["b", there + "a"]).status == 0)
        #expect(try work.program.run(["cp"] + access + ["a", there + "a"]).status == 1)
        #expect(try work.program.run(["cat"] + access + [there + "a"]).text == "two\n")
        #expect(try work.program.run(["ls", "-a"] + access + [there]).text == "a\n")
    }
}
