import Foundation
import TestSupport
import Testing

/// Local folders that are copied in one operation, and copies that would never end.
@Suite struct WholeFolderTests {
    private let work: Workspace

    init() throws { work = try Workspace() }

    @Test func whatTakesLongIsCopiedFileByFile() throws {
        try work.write("s/small/f")
        try work.write("s/deep/small/f")
        #expect(try work.program.shell("truncate -s 300M s/deep/large").status == 0)
        let report = try #require(try work.program.shell("fp cp -r s d").errors.split(separator: "\n").last)
        // Both small folders are copied whole, the others file by file.
        #expect(report.contains("2 folders and 3 files copied"), "\(report)")
        #expect(try work.program.shell("diff -r s d").status == 0)
    }

    /// Only the sizes of the first files are looked at, which say little about the rest.
    @Test func whatTurnsOutToBeLargeIsCopiedFileByFile() throws {
        let outcome = try work.program.shell(
            """
            mkdir -p s/in/deep; for i in {1..1001}; do echo $i > s/in/$i; done; truncate -s 3G s/in/deep/large
            fp cp -r s d && diff -r s d
            """)
        #expect(outcome.status == 0 && outcome.errors.contains("cp: 1002 files copied"), "\(outcome.errors)")
    }

    /// Complete files are kept: the next run continues after them.
    @Test(arguments: [SIGINT, SIGKILL])
    func whatWasInterruptedGoesOn(signal: Int32) throws {
        for number in 0..<40 { try work.write("s/a/\(number)", String(repeating: "x", count: 4 << 20)) }
        for number in 0..<40 { try work.write("s/b/\(number)", String(repeating: "y", count: 4 << 20)) }
        let running = try work.program.start("cp", "-r", "s", "d")
        while running.process.isRunning, !work.exists("d/a"), !work.exists("d/b") { usleep(500) }
        kill(running.process.processIdentifier, signal)
        #expect(try running.wait().status == (signal == SIGINT ? 130 : 128 + signal))
        #expect(try work.names("d").filter { !$0.hasPrefix(".fp-") } != [])
        let last = try work.fp("cp", "-r", "s", "d")
        #expect(last.status == 0, "\(last.errors)")
        #expect(try work.program.shell("diff -r s d").status == 0)
        #expect(try work.names() == ["d", "s"] && work.fp("transfers", "list").text == "")
    }

    @Test(.enabled(if: getuid() == 0, "only root mounts"), arguments: ["", "-v", "--verify hash"])
    func aMountThatShowsTheCopyIsNoTrap(options: String) throws {
        try work.write("p/s/f")
        let outcome = try work.program.shell(
            """
            mkdir p/s/mnt && unshare -m bash -c '
                mount --bind p p/s/mnt && timeout 60 fp cp -r \(options) p/s p/d'
            """)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.errors.contains("a directory cannot go into itself"), "\(outcome.errors)")
        #expect(work.exists("p/d/f") && work.exists("p/d/mnt/s/f"))
        #expect(!work.exists("p/d/mnt/d/f"))
    }

    @Test(
        .enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers"),
        arguments: ["", "/", "/in", "/new", "/in/new", "/in/"])
    func aFolderIsNotCopiedIntoItselfByAServerThatShowsIt(below: String) throws {
        let server = try #require(TestServer("APACHE"))
        let name = "loop-\(UUID().uuidString)"
        let folder = URL(fileURLWithPath: server.folder.description).appending(path: name).path
        let location = server.location + name
        #expect(try work.fp("mkdir", location).status == 0)
        defer { _ = try? work.fp("rm", "-r", location) }
        try work.write("s/in/f")
        #expect(try work.fp("cp", "-r", "s/in", location + "/").status == 0)
        for ends in [[folder, location + below], [location, folder + below]] {
            let outcome = try work.program.shell("timeout 60 fp cp -r \(ends[0]) \(ends[1])")
            #expect(outcome.status == 1, "\(ends): \(outcome.errors)")
            #expect(
                outcome.errors.contains("a directory cannot go into itself")
                    || outcome.errors.contains("source and destination are the same"), "\(ends): \(outcome.errors)")
            let found = try work.program.shell("find \(folder) -mindepth 1 -printf '%P\\n' | sort")
            #expect(found.lines == ["in", "in/f"], "\(ends)")
        }
    }
}
