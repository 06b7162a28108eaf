import ArgumentParser
import Foundation
import Testing

@testable import fp

@Suite struct ProcessTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    @Test(
        arguments: [
            (["--help"], 0), (["--version"], 0), (["cp", "--help"], 0), ([], 0), (["bogus"], 64),
            (["ls", "--bogus"], 64),
            (["cp", "a"], 64), (["ls", "nowhere:/x"], 2), (["ls", "dav://u:p@h/"], 2),
            (["ls", "dav://u@127.0.0.1:1/"], 2),
            (["ls", "dav://127.0.0.1:1/"], 2), (["ls", "dav://no.such.host.invalid/"], 2), (["ls", "missing"], 1),
            (["ls", "--timeout", "0"], 64), (["stat", "."], 0), (["ls", "https://u:p@h/"], 2),
            (["help", "nosuch"], 64), (["help", "remote", "add"], 0), (["cat", "--length", "-1", "x"], 64),
            (["ls", "--timeout", "-1"], 64), (["cp", "--timeout", "1e39", "a", "b"], 64),
            (["watch", "--interval", "1e300", "."], 64), (["sync", "--overwrite", "a", "b"], 64),
            (["cat", "-dash"], 64),
            (["cat", "-help"], 0), (["cp", "--json", "a", "-"], 64), (["rm", "-f"], 0), (["rm"], 64),
            (["ls", "file:///tmp/a%2Fb"], 2), (["ls", "file:///tmp#a"], 2), (["rm", "-f", "dav://h/dav//x"], 2),
            (["cp", "--dest-token-file", "a", "--dest-password-file", "b", "c", "d"], 64),
        ] as [([String], Int32)])
    func exitStatus(arguments: [String], expected: Int32) throws {
        let outcome = try work.program.run(arguments)
        #expect(outcome.status == expected, "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count <= 1)
        #expect(expected == 0 ? outcome.errors.isEmpty : outcome.errors.hasPrefix("fp: "))
    }

    @Test func aSecretIsNeverShown() throws {
        let outcome = try work.fp("ls", "dav://anna:hunter2@host/")
        #expect(outcome.errors.hasPrefix("fp: ls: dav://anna:…@host/: a password does not belong in a URL"))
        #expect(try !work.fp("sync", "a", "b", "https://anna:hunter2@host/").errors.contains("hunter2"))
        work.program.environment = ["FP_PASSWORD": "hunter2", "FP_LOG": "trace"]
        #expect(try work.fp("ls", "dav://anna@127.0.0.1:1/").errors.contains("hunter2") == false)
    }

    @Test(arguments: [
        (["remote", "test", "nosuch"], "fp: remote test: nosuch:"), (["share", "nosuch"], "fp: share link: nosuch:"),
        (["help", "nosuch"], "fp: no command “nosuch”; see `fp --help`"),
        (["remote", "add"], "fp: Missing expected argument '<name>'; see `fp remote add --help`"),
        (["nosuch"], "fp: no command “nosuch”; see `fp --help`"), (["rm", "-w"], "fp: Unknown option '-w'"),
        (["remote", "nosuch"], "fp: no command “nosuch”; see `fp remote --help`"),
        (["cp", "-a", "x"], "fp: Unknown option '-a'"), (["cp", "x"], "fp: Missing a destination"),
        (["ls", "--sort", "age"], "'name', 'size' or 'time'; see `fp ls --help`"),
    ])
    func errorsNameTheWholeCommand(arguments: [String], text: String) throws {
        let outcome = try work.program.run(arguments)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func aMirrorHasNoOptionsForConflicts() throws {
        #expect(try work.fp("cp", "--help").text.contains("--skip-existing"))
        #expect(try !work.fp("sync", "--help").text.contains("--skip-existing"))
    }

    @Test func helpThatCannotBeWrittenIsAFailure() throws {
        #expect(try work.program.shell("fp --help > /dev/full").status == 1)
    }

    @Test("a signal ends a command whose reader takes nothing more", arguments: ["TERM", "INT"])
    func aStuckReader(signal: String) throws {
        let outcome = try work.program.shell(
            """
            set -m; mkfifo pipe; sleep 60 < pipe & reader=$!
            head -c 1000000 /dev/zero > big
            fp cat big > pipe & sleep 1; kill -\(signal) $!
            for i in {1..50}; do kill -0 $! 2> /dev/null || break; sleep 0.1; done
            kill -9 $! 2> /dev/null; wait $!; status=$?; kill $reader; exit $status
            """)
        #expect(outcome.status == (signal == "TERM" ? 143 : 130))
    }

    @Test func errorsStayOnOneLine() throws {
        let outcome = try work.fp("ls", "a\nb\u{1B}[2J")
        #expect(outcome.errors == "fp: ls: a\\nb\\033[2J: no such file or directory\n")
    }

    @Test func aClosedPipeEndsQuietly() throws {
        for index in 0..<3000 { try work.write("many/\(index)-\(String(repeating: "x", count: 60))", "") }
        let outcome = try work.program.shell("fp ls many | head -1 >/dev/null; echo ${PIPESTATUS[0]}")
        #expect(outcome.text == "0\n")
        #expect(outcome.errors.isEmpty)
    }

    @Test func aFullDiskIsAnError() throws {
        try work.write("a")
        let outcome = try work.program.shell("fp cat a > /dev/full")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "fp: cat: standard output: No space left on device\n")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalsStopAndCleanUp(number: Int32, status: Int32) throws {
        let source = try work.write("big", "")
        #expect(truncate(source.path, 2 << 30) == 0)
        try Data("x".utf8).write(to: source.appendingPathExtension("small"))
        let running = try work.program.start("cp", "--verify", "readback", "big", "copy")
        #expect(running.wait { (try? work.fp("transfers", "list").lines.count) == 1 })
        kill(running.process.processIdentifier, number)
        #expect(try running.wait().status == status)
        #expect(try work.names().filter { $0.hasPrefix(".fp") } == [])
    }

    @Test func whatNoLongerMatchesIsToldAsRemoved() throws {
        try work.write("w/a.jpg", "aa")
        try work.write("w/sub/b.jpg", "bb")
        try work.write("w/z", "zz")
        let running = try work.program.start("watch", "--json", "--query", "name ENDSWITH '.jpg' AND fileSize > 0", "w")
        let folder = work.folder.appendingPathComponent("w")
        #expect(running.waitUntilItWatches(folder, by: "probe.jpg"))
        for (from, to) in [("a.jpg", "a"), ("z", "z.jpg"), ("sub", "up")] {
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent(from), to: folder.appendingPathComponent(to))
        }
        #expect(running.wait { running.outputSoFar.contains("w/up/b.jpg") })
        try FileManager.default.removeItem(at: folder.appendingPathComponent("up"))
        #expect(running.wait { running.outputSoFar.contains("\"removed\",\"path\":\"w/up/b.jpg\"") })
        kill(running.process.processIdentifier, SIGINT)
        let objects = try running.wait().objects.filter {
            $0["name"] as? String != "probe.jpg" && $0["path"] as? String != "w/probe.jpg"
        }
        let told = objects.map { "\($0["event"] ?? "") \($0["path"] ?? "")" }
        try #require(told == ["removed w/a.jpg", "moved w/z.jpg", "moved w/up/b.jpg", "removed w/up/b.jpg"])
        #expect(objects[1]["size"] as? Int == 2 && objects[1]["type"] as? String == "regular")
    }

    @Test func eventsTellWhatIsKnownOfTheItem() throws {
        try work.write("w/old")
        let running = try work.program.start("watch", "--json", "w")
        #expect(running.waitUntilItWatches(work.folder.appendingPathComponent("w")))
        try work.write("w/new", "text", modified: 1_500_000_000)
        #expect(running.wait { running.outputSoFar.contains("2017-07-14T02:40:00Z") }, "\(running.outputSoFar)")
        kill(running.process.processIdentifier, SIGINT)
        let last = try running.wait().objects.last { $0["path"] as? String == "w/new" }
        #expect(last?["name"] as? String == "new" && last?["size"] as? Int == 4)
    }

    @Test func aDirectoryWasMeant() throws {
        try work.write("t/a")
        #expect(try work.fp("ls", "t/a/").errors == "fp: ls: t/a/: cannot be read (not a directory)\n")
    }

    @Test func aCircleOfLinksIsNoLackOfPermission() throws {
        let outcome = try work.program.shell("ln -s x y && ln -s y x && fp cat x")
        #expect(outcome.errors == "fp: cat: x: cannot be read (too many levels of symbolic links)\n")
    }

    @Test func watching() throws {
        try work.write("w/old")
        let running = try work.program.start("watch", "w")
        #expect(running.waitUntilItWatches(work.folder.appendingPathComponent("w")))
        try work.write("w/new", "x")
        #expect(running.wait { running.outputSoFar.contains("created") && running.outputSoFar.contains("w/new\n") })
        kill(running.process.processIdentifier, SIGINT)
        #expect(try running.wait().status == 130)
    }

    @Test func providersAreReadOffTheCode() throws {
        let lines = try work.fp("providers").lines
        #expect(lines[0].split(separator: " ") == ["Local", "WebDAV", "SFTP", "Gallery", "Memory"])
        #expect(lines[1].contains("dav: davs:"))
        #expect(try work.fp("providers", "--markdown").lines.allSatisfy { $0.hasPrefix("| ") })
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let outcome = try work.fp("completion", shell)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("skip-existing"))
    }

    @Test func everyCommandExplainsItself() throws {
        func check(_ command: any ParsableCommand.Type) {
            let configuration = command.configuration
            if configuration.subcommands.isEmpty {
                #expect(configuration.discussion.contains("Examples:\n  fp "), "\(command) has no example")
            }
            #expect(!configuration.abstract.isEmpty)
            configuration.subcommands.forEach(check)
        }
        check(FP.self)
        let outcome = try work.fp("vault", "put", "--help")
        #expect(outcome.status == 0 && outcome.text.contains("fp vault put today.txt cloud:/notes"))
    }
}
