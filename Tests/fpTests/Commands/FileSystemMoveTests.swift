import Foundation
import TestSupport
import Testing

/// `fp mv` between two local file systems: no source is removed before its copy was verified, and an interrupted move
/// continues.
@Suite(.enabled(if: OtherFileSystem.isThere, "needs /dev/shm"), .serialized)
struct FileSystemMoveTests {
    private let work: Workspace
    private let other: OtherFileSystem

    init() throws {
        work = try Workspace()
        other = try OtherFileSystem()
    }

    @Test(arguments: [
        ([], "verified by reading back"), (["--verify", "readback"], "verified by reading back"),
        (["--verify", "hash"], "verified by reading back"), (["--verify", "size"], "verified by size"),
    ])
    func aCopyIsMadeSureOf(options: [String], assurance: String) throws {
        try work.write("f", "text", modified: 1_500_000_000)
        #expect(try work.program.shell("chmod 640 f").status == 0)
        let outcome = try work.program.run(["mv", "-v", "f", "\(other.path)/g"] + options)
        #expect(outcome.status == 0 && outcome.errors.contains(assurance), "\(outcome.errors)")
        #expect(other.read("g") == "text" && !work.exists("f"))
        #expect(try work.program.shell("stat -c '%a %Y' \(other.path)/g").text == "640 1500000000\n")
        #expect(try work.fp("transfers", "list").text == "")
    }

    @Test func theReportCountsWhatMoved() throws {
        for name in ["a", "b/c"] { try work.write("d/\(name)") }
        let outcome = try work.fp("mv", "--json", "d", "\(other.path)/d")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.objects.last?["moved"] as? Int == 2 && outcome.objects.last?["copied"] as? Int == 0)
        #expect(outcome.objects.filter { $0["event"] as? String == "moved" }.count == 2)
        #expect(!work.exists("d"))
    }

    @Test func `several sources have one summary`() throws {
        for name in ["a", "b", "d/c"] { try work.write(name, "12") }
        #expect(try work.program.shell("touch \(other.path)/here; mkdir \(other.path)/in").status == 0)
        let outcome = try work.fp("mv", "a", "missing", "b", "d", "\(other.path)/here", "\(other.path)/in")
        #expect(outcome.status == 1)
        let summaries = outcome.errors.split(separator: "\n").filter { $0.contains(" moved (") }
        #expect(summaries.count == 1, "\(outcome.errors)")
        #expect(summaries.first?.hasPrefix("fp: mv: 3 files moved (6B) in ") == true, "\(outcome.errors)")
        #expect(summaries.first?.hasSuffix(" s, 1 renamed, 1 failed") == true, "\(outcome.errors)")
    }

    @Test func foldersKeepTheirTimesAndPermissions() throws {
        try work.write("d/sub/f")
        let outcome = try work.program.shell(
            "chmod 750 d; chmod 700 d/sub; touch -d @1500000000 d/sub d; fp mv d \(other.path)/")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = try work.program.shell("cd \(other.path) && stat -c '%n %a %Y' d d/sub").text
        #expect(text == "d 750 1500000000\nd/sub 700 1500000000\n")
    }

    @Test(.enabled(if: getuid() == 0, "only root gives links away"))
    func `links keep their times and owners`() throws {
        let outcome = try work.program.shell(
            "mkdir d; ln -s x d/l; chown -h 12345:12345 d/l; touch -h -d @1000000000 d/l; fp mv d \(other.path)/")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.program.shell("stat -c '%u %Y %N' \(other.path)/d/l").text.hasPrefix("12345 1000000000 "))
    }

    /// The next run has to write there.
    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func aFolderThatIsNotCompleteStaysWritable() throws {
        let disk = try #require(SmallDisk(megabytes: 16))
        let small = disk.folder.description
        try work.write("d/album/a")
        try Data(count: 20_000_000).write(to: work.folder.appending(path: "d/album/big"))
        #expect(try work.program.shell("chmod 555 d/album").status == 0)
        let outcome = try work.fp("mv", "d", "\(small)/d")
        #expect(outcome.status == 1 && outcome.errors.contains("big"), "\(outcome.errors)")
        #expect(try work.program.shell("stat -c %a \(small)/d/album").text == "755\n")
        #expect(
            try work.program.shell("chmod 755 d/album; rm d/album/big; touch d/album/b; chmod 555 d/album").status == 0)
        #expect(try work.fp("mv", "d", "\(small)/d").status == 0)
        #expect(try work.program.shell("cd \(small)/d/album && stat -c %a . && ls").lines == ["555", "a", "b"])
        #expect(!work.exists("d"))
    }

    @Test(.enabled(if: getuid() == 0, "only root gives files away"))
    func foldersAndFilesKeepWhatTheyHave() throws {
        try work.write("d/f", "text")
        let outcome = try work.program.shell(
            """
            chown 12345:12345 d d/f && chmod 1777 d && setfattr -n user.own -v x d 2>/dev/null || true
            printf old > \(other.path)/g; printf secret > s; chmod 600 s
            fp mv d \(other.path)/ && fp mv -f s \(other.path)/g && stat -c '%u %a' \(other.path)/d \(other.path)/d/f \(other.path)/g
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text == "12345 1777\n12345 644\n0 600\n")
    }

    @Test func whatExistsIsReplacedOnlyWhenAsked() throws {
        // Same size and time: only the bytes distinguish the two.
        try work.write("f", "new", modified: 1_500_000_000)
        #expect(try work.program.shell("printf old > \(other.path)/f && touch -r f \(other.path)/f").status == 0)
        let refused = try work.fp("mv", "f", other.path)
        #expect(refused.status == 1 && refused.errors.contains("the item exists already"), "\(refused.errors)")
        #expect(other.read("f") == "old")
        #expect(try work.fp("mv", "-f", "f", other.path).status == 0)
        #expect(other.read("f") == "new" && !work.exists("f"))
        #expect(try other.names() == ["f"])
    }

    /// An unfinished copy of somebody's is none of ours to move.
    @Test func aFolderThatStaysIsNamed() throws {
        try work.write("d/a")
        try work.write("d/.fp-1oe27c5ontyu8.tmp")
        let outcome = try work.fp("mv", "d", "\(other.path)/d")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("fp: mv: d: it stays: there is something in it that was not moved\n"))
        #expect(try work.names("d") == [".fp-1oe27c5ontyu8.tmp"] && other.names("d") == ["a"])
        #expect(try work.fp("transfers", "list").text == "")
    }

    /// Its source goes, and so it is moved.
    @Test func whatIsThereAlreadyIsMovedToo() throws {
        try work.write("f", "same", modified: 1_500_000_000)
        let copy = "cp -p f \(other.path)/f"
        #expect(try work.program.shell(copy).status == 0)
        let outcome = try work.fp("mv", "-f", "f", "\(other.path)/f")
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("fp: mv: 1 file moved"), "\(outcome.errors)")
        #expect(!work.exists("f") && other.read("f") == "same")
        try work.write("f", "same", modified: 1_500_000_000)
        let objects = try work.fp("mv", "-f", "--json", "f", "\(other.path)/f").objects
        #expect(objects.contains { $0["event"] as? String == "moved" && $0["source"] as? String == "f" })
        #expect(objects.last?["moved"] as? Int == 1 && objects.last?["unchanged"] as? Int == 0)
    }

    private static let count = 1500

    /// Starts a move and stops it as soon as something has been removed from its source; returns the program's outcome.
    private func stoppedMove(by signal: Int32) throws -> Program.Outcome {
        for number in 0..<Self.count { try work.write("d/\(number % 7)/\(number)", "text \(number)") }
        let running = try work.program.start("mv", "d", "\(other.path)/d")
        let all = Self.count + 7
        let folder = work.folder.appendingPathComponent("d").path
        #expect(running.wait { (try? FileManager.default.subpathsOfDirectory(atPath: folder).count) ?? all < all })
        kill(running.process.processIdentifier, signal)
        let outcome = try running.wait()
        #expect(work.exists("d"), "it was too fast")
        #expect(try work.fp("transfers", "list").lines.count == 1)
        return outcome
    }

    private func expectMoved() throws {
        #expect(!work.exists("d"))
        #expect(try other.fileCount == Self.count + 8)
        #expect(other.read("d/3/10") == "text 10")
        #expect(try work.fp("transfers", "list").text == "")
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func theSameCommandGoesOn(signal: Int32) throws {
        let stopped = try stoppedMove(by: signal)
        if signal == SIGINT {
            #expect(stopped.status == 130)
            #expect(stopped.errors == "fp: mv: stopped; give the same command again to go on\n")
        }
        let again = try work.fp("mv", "d", "\(other.path)/d")
        #expect(again.status == 0, "\(again.errors)")
        try expectMoved()
    }

    @Test func foldersKeepTheirTimesWhenTheMoveWasKilled() throws {
        for number in 0..<Self.count { try work.write("d/\(number % 7)/\(number)", "text \(number)") }
        let told = "find d -type d -exec stat -c '%n %a %Y' {} + | sort"
        let before = try work.program.shell("chmod 750 d/?; touch -d @1500000000 d/? d; \(told)")
        let running = try work.program.start("mv", "d", "\(other.path)/d")
        #expect(running.wait { (try? other.names("d").count) == 7 })
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
        // The folders get their times after the files.
        #expect(try other.fileCount < Self.count + 8, "it was too fast")
        #expect(try work.fp("mv", "d", "\(other.path)/d").status == 0)
        #expect(try work.program.shell("cd \(other.path) && \(told)").text == before.text)
        try expectMoved()
    }

    @Test func aKilledMoveIsResumed() throws {
        _ = try stoppedMove(by: SIGKILL)
        let id = try #require(try work.fp("transfers", "list", "--json").objects.first?["id"] as? String)
        let resumed = try work.fp("transfers", "resume", id)
        #expect(resumed.status == 0, "\(resumed.errors)")
        try expectMoved()
    }

    @Test func aKilledMoveIsDiscarded() throws {
        _ = try stoppedMove(by: SIGKILL)
        let id = try #require(try work.fp("transfers", "list", "--json").objects.first?["id"] as? String)
        let discarded = try work.fp("transfers", "discard", id)
        #expect(discarded.status == 0, "\(discarded.errors)")
        #expect(try work.fp("transfers", "list").text == "")
        let names = try FileManager.default.subpathsOfDirectory(atPath: other.path)
        #expect(!names.contains { $0.contains(".fp-") })
    }

    /// Items that stay at the source are reported once; there is no move to continue.
    @Test func whatEndsByItselfIsNotInterrupted() throws {
        try work.write("d/a")
        #expect(mkfifo(work.folder.appendingPathComponent("d/pipe").path, 0o600) == 0)
        let outcome = try work.fp("mv", "d", "\(other.path)/d")
        #expect(outcome.status == 1 && outcome.errors.contains("fp: mv: d: 1 item stays there\n"), "\(outcome.errors)")
        #expect(try work.names("d") == ["pipe"] && other.names("d") == ["a"])
        #expect(try work.fp("transfers", "list").text == "")
    }
}
