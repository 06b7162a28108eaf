import Foundation
import TestSupport
import Testing

/// `fp cp` from sources of unknown length, and to standard output.
@Suite struct StreamTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("f", "text")
    }

    @Test(arguments: [
        "cat f | fp cp - out", "cat f | fp cp /dev/stdin out", "fp cp - out < f", "fp cp /dev/stdin out < f",
        "fp cp <(cat f) out", "mkfifo p; cat f > p & fp cp p out", "mkfifo p; ln -s p l; cat f > p & fp cp l out",
        "cat f | fp cp --verify readback - out", "cat f | fp cp --verify hash - out",
        "cat f | fp cp --sync /dev/fd/0 out",
        "touch out; cat f | fp cp -f - out", "cat f | fp cp --json - out",
    ])
    func whatComesIsCopied(script: String) throws {
        let outcome = try work.program.shell(script)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(work.read("out") == "text")
        #expect(try work.fp("transfers", "list").text.isEmpty)
    }

    @Test(arguments: [
        ("cat - --offset 2", "xt"), ("cat - --offset 1 --length 2", "ex"), ("cat - --length 3", "tex"),
        ("cat - --offset 9", ""),
        ("hash -a md5 -", "1cb251ec0d568de6a929b520c4aed8d1  -\n"),
    ])
    func standardInputIsAFileEverywhere(command: String, text: String) throws {
        for script in ["cat f | fp \(command)", "fp \(command) < f"] {
            let outcome = try work.program.shell(script)
            #expect(outcome.status == 0 && outcome.text == text, "\(outcome)")
        }
        #expect(try work.program.shell("cat f | fp cat - --offset -2").errors.contains("not supported here"))
    }

    /// A skip would throw away what came.
    @Test func whatComesHasNoTimeToCompare() throws {
        let outcome = try work.program.shell("fp cp --update - f < f")
        #expect(outcome.status == 64 && outcome.errors.contains("use --overwrite"), "\(outcome.errors)")
    }

    /// Its length is known once it has been read.
    @Test func whatComesIsVerified() throws {
        for arguments in ["-v", "-v --verify size"] {
            for target in ["out", "mem:store/out"] {
                let outcome = try work.program.shell("cat f | fp cp -f \(arguments) - \(target)")
                #expect(outcome.errors.contains("-> \(target) (4B, verified by size)"), "\(outcome.errors)")
            }
        }
    }

    @Test(
        .enabled(if: !TestServer.all.isEmpty, "needs Scripts/test-servers"),
        arguments: TestServer.all + TestServer.clouds)
    func whatComesIsSent(server: TestServer) throws {
        let user = TestServer.variable("USER")
        work.program.environment["FP_PASSWORD"] = TestServer.variable("PASSWORD")
        let location = server.location.replacing("://", with: "://\(user)@") + "stream-\(UUID().uuidString)"
        for script in [
            "head -c 3000000 /dev/zero | fp cp - \(location)",
            "head -c 3000000 /dev/zero | fp cp /dev/stdin -f \(location)",
            "fp cp -f <(head -c 3000000 /dev/zero) \(location)",
        ] {
            let outcome = try work.program.shell(script)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try work.program.shell("fp cat \(location) | cmp - <(head -c 3000000 /dev/zero)").status == 0)
        }
        #expect(try work.fp("cp", "-f", "/proc/version", location).status == 0)
        #expect(try work.program.shell("fp cat \(location) | cmp - /proc/version").status == 0)
        #expect(try work.fp("rm", location).status == 0)
    }

    /// The message names the file that has no space, not where the bytes come from.
    @Test(
        .enabled(if: SmallDisk.isExpected, "no right to mount a small file system"),
        arguments: ["fp cp -", "fp cp /dev/stdin", "fp cp -f -"])
    func aFullDiskIsTheTargets(command: String) throws {
        let disk = try #require(SmallDisk())
        let target = "\(disk.folder)/target"
        let outcome = try work.program.shell("head -c 20000000 /dev/zero | \(command) \(target)")
        #expect(outcome.status == 1 && outcome.errors.contains("fp: cp: \(target): no space left"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    /// What comes in time is shown, not only what fills a buffer.
    @Test func whatComesIsShownAtOnce() throws {
        let outcome = try work.program.shell(
            """
            mkfifo p; fp cat p > out & exec 3> p; printf first >&3
            for i in {1..200}; do grep -q first out && break; sleep .05; done; grep -q first out || echo late >&2; printf second >&3; exec 3>&-; wait $!
            """)
        #expect(outcome.status == 0 && outcome.errors.isEmpty && work.read("out") == "firstsecond", "\(outcome.errors)")
    }

    @Test func anInterruptedStreamIsNotResumedFromAnother() throws {
        let outcome = try work.program.shell(
            """
            mkfifo p; fp cp -f - f < p & exec 3> p; head -c 20000 /dev/zero >&3
            for i in {1..200}; do fp transfers list | grep -q . && break; sleep .05; done; kill -KILL $!; wait $!
            fp transfers resume "$(fp transfers list --json | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')" < /dev/null
            """)
        #expect(outcome.status != 0 && outcome.errors.contains("standard input, which is gone"), "\(outcome)")
        #expect(work.read("f") == "text")
    }

    @Test func whatExistsStays() throws {
        try work.write("out", "old")
        let outcome = try work.program.shell("cat f | fp cp - out")
        #expect(outcome.status == 1 && outcome.errors.contains("--overwrite"), "\(outcome.errors)")
        #expect(work.read("out") == "old")
    }

    @Test func standardInputNeedsAName() throws {
        try work.write("d/x")
        let outcome = try work.program.shell("cat f | fp cp - d")
        #expect(outcome.status == 1 && outcome.errors.contains("standard input has no name"), "\(outcome.errors)")
        #expect(try work.program.shell("cat f | fp cp /dev/stdin d && fp cat d/stdin").text == "text")
        #expect(try work.names("d") == ["stdin", "x"])
    }

    @Test func standardOutputTakesFiles() throws {
        try work.write("g", " more")
        #expect(try work.fp("cp", "f", "g", "-").text == "text more")
        #expect(try work.program.shell("printf in | fp cp f - -").text == "textin")
        #expect(!work.exists("-"))
        #expect(try work.program.shell("fp cp f ./- && fp cp ./- h").status == 0)
        #expect(work.read("-") == "text" && work.read("h") == "text")
        let mixed = try work.fp("cp", "missing", "f", "-")
        #expect(mixed.status == 1 && mixed.text == "text")
    }

    /// A device or pipe is not a file that can be replaced.
    @Test func whatIsNoFileStays() throws {
        let outcome = try work.program.shell("mkfifo p; fp cp -f f p; echo $?; test -p p && fp cp f /dev/stdout")
        #expect(outcome.text == "1\ntext" && outcome.errors.contains("which is neither replaced"), "\(outcome)")
    }

    @Test func whoWaitsForInputCanBeStopped() throws {
        let outcome = try work.program.shell("fp cp - out < <(sleep 20) & sleep 1; kill -INT $!; wait $!")
        #expect(outcome.status == 130)
        #expect(try work.names() == ["f"])
    }

    /// A link inside a tree is skipped with a notice; one that was named is an error.
    @Test(.enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers"))
    func aNamedLinkThatIsNotCopiedIsAnError() throws {
        let server = try #require(TestServer("APACHE"))
        let location = server.location + "link-\(UUID().uuidString)"
        #expect(try work.program.shell("mkdir d; cp f d; ln -s f d/l").status == 0)
        #expect(try work.fp("cp", "-r", "d", location).status == 0)
        let refused = try work.fp("cp", "d/l", "\(location)/l")
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("fp: cp: d/l: not copied (symbolic link: "), "\(refused.errors)")
        let objects = try work.fp("cp", "--json", "d/l", "\(location)/l").objects
        #expect(objects.map { $0["event"] as? String } == ["failed", "report"])
        #expect(objects.last?["failed"] as? Int == 1 && objects.last?["skipped"] as? Int == 0)
        #expect(try work.fp("cp", "--symlinks", "follow", "d/l", "\(location)/l").status == 0)
        #expect(try work.fp("rm", "-r", location).status == 0)
    }
}
