import Foundation
import TestSupport
import Testing

@Suite struct MoveTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("a", "aa")
        try work.write("d/sub/b", "bb")
    }

    @Test func renames() throws {
        #expect(try work.fp("mv", "a", "b").status == 0)
        #expect(work.read("b") == "aa")
        #expect(!work.exists("a"))
        #expect(try work.fp("mv", "b", "d").status == 0)
        #expect(work.read("d/b") == "aa")
        #expect(try work.fp("mv", "d/sub/", "e").status == 0)
        #expect(work.read("e/b") == "bb")
    }

    @Test func severalGoIntoAFolder() throws {
        try work.write("x/y")
        #expect(try work.fp("mv", "a", "d", "x").status == 0)
        #expect(try work.names("x") == ["a", "d", "y"])
        try work.write("b")
        let refused = try work.fp("mv", "b", "x", "missing")
        #expect(refused.status == 1)
        let events = try work.fp("mv", "--json", "b", "x", "missing").objects.compactMap { $0["event"] as? String }
        #expect(events == ["failed", "report"])
        #expect(work.exists("b"))
    }

    @Test func twoSourcesDoNotBecomeOneFile() throws {
        try work.write("p/f", "mine")
        try work.write("q/f", "mine too")
        try work.write("x/y")
        let outcome = try work.fp("mv", "--overwrite", "p/f", "q/f", "x")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "fp: mv: x/f: another source has become this one\n")
        #expect(work.read("x/f") == "mine" && work.read("q/f") == "mine too")
    }

    /// What a folder's move leaves to the end: each file counts for itself.
    @Test func aFileThatDiffersStaysAloneBehind() throws {
        let location = try #require(TestServer("APACHE")).location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        for name in ["1", "2", "3"] { try work.write("d/\(name)", "as copied") }
        #expect(try work.fp("mkdir", location).status == 0)
        #expect(try work.fp("cp", "-r", "d", "\(location)/").status == 0)
        try work.write("d/2", "different", modified: 1_000_000_000)
        let outcome = try work.fp("mv", "d", location)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("d/2: it differs from the source, which stays"), "\(outcome.errors)")
        #expect(try work.names("d") == ["2", "sub"])
    }

    /// The target folder of a move that never began is somebody else's, if there is one later.
    @Test func whatWasNotBegunIsNotContinued() throws {
        let location = try #require(TestServer("APACHE")).location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        #expect(try work.fp("mv", "-f", "d", "\(location)/x").status == 1)
        #expect(try work.fp("transfers", "list").text == "")
        try work.write("precious/b", "precious")
        #expect(try work.fp("mkdir", "-p", "\(location)/x/sub").status == 0)
        #expect(try work.fp("cp", "precious/b", "\(location)/x/sub/b").status == 0)
        #expect(try work.fp("mv", "-f", "d", "\(location)/x").status == 0)
        #expect(try work.fp("cat", "\(location)/x/sub/b", "\(location)/x/d/sub/b").text == "preciousbb")
    }

    /// A move is the same one whatever its options are; otherwise what it has made would be a folder to move into.
    @Test(arguments: [["--verify", "size"], ["--symlinks", "skip"], ["--names", "map"], ["-f"]])
    func aMoveIsContinuedWithOtherOptions(options: [String]) throws {
        let location = try #require(TestServer("NGINX")).location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        try work.write("d/.refused", "no dots there")
        #expect(try work.fp("mv", "d", location).status == 1)
        let again = try work.program.run(["mv"] + options + ["d", location])
        #expect(again.status == (options == ["--names", "map"] ? 0 : 1), "\(again.errors)")
        #expect(try work.fp("cat", "\(location)/sub/b").text == "bb")
        #expect(try work.fp("ls", "\(location)/d").status == 1)
    }

    @Test func aNameThatTheServerRefusesIsMappedWithinIt() throws {
        let location = try #require(TestServer("NGINX")).location + "fp-\(UUID().uuidString)"
        defer { _ = try? work.fp("rm", "-rf", location) }
        #expect(try work.fp("mkdir", location).status == 0)
        #expect(try work.fp("cp", "a", "\(location)/a").status == 0)
        #expect(try work.fp("mv", "\(location)/a", "\(location)/.a").status == 1)
        let outcome = try work.fp("mv", "--names", "map", "\(location)/a", "\(location)/.a")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.fp("ls", location).lines == ["=fp=%2Ea"])
    }

    @Test func whatExistsIsReplacedOnlyWhenAsked() throws {
        try work.write("b", "bb")
        let outcome = try work.fp("mv", "a", "b")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "fp: mv: b: the item exists already; --overwrite replaces it\n")
        #expect(work.read("a") == "aa")
        let skipped = try work.fp("mv", "-v", "--skip-existing", "a", "b")
        #expect(skipped.status == 0 && skipped.errors.hasPrefix("fp: mv: a: skipped (the target stays)\n"))
        #expect(try work.fp("mv", "--skip-existing", "a", "b").errors.hasSuffix(", 1 skipped\n"))
        let events = try work.fp("mv", "--json", "--skip-existing", "a", "b").objects
        #expect(events.map { $0["event"] as? String } == ["skipped", "report"])
        #expect(work.read("b") == "bb")
        #expect(try work.fp("mv", "--overwrite", "a", "b").status == 0)
        #expect(work.read("b") == "aa")
        #expect(!work.exists("a"))
    }

    @Test func anItemStaysWhereItIs() throws {
        for arguments in [["mv", "a", "a"], ["mv", "--overwrite", "a", "./a"], ["mv", "d", "."], ["cp", "a", "."]] {
            let outcome = try work.program.run(arguments)
            #expect(outcome.status == 1 && outcome.errors.contains("(source and destination are the same)"))
        }
        let outcome = try work.fp("mv", "d", "d/into")
        #expect(outcome.errors == "fp: mv: d/into: cannot be written (a directory cannot go into itself)\n")
        #expect(work.read("a") == "aa" && work.exists("d"))
    }

    @Test func betweenStoragesTheSourceGoesLast() throws {
        let other = try OtherFileSystem()
        #expect(try work.fp("mv", "d", "\(other.path)/d").status == 0)
        #expect(!work.exists("d") && other.read("d/sub/b") == "bb")
        #expect(try work.fp("mv", "a", "\(other.path)/a").status == 0)
        #expect(!work.exists("a") && other.read("a") == "aa")
    }

    @Test func aLinkGoesOnce() throws {
        let other = try OtherFileSystem()
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appendingPathComponent("d/link").path, withDestinationPath: "sub/b")
        #expect(try work.fp("mv", "d", "\(other.path)/d").status == 0)
        #expect(!work.exists("d"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(other.path)/d/link") == "sub/b")
    }

    /// Items in memory are lost when the program ends.
    @Test func nothingMovesIntoMemory() throws {
        for arguments in [["mv", "a", "mem:x/a"], ["mv", "d", "mem:x/"], ["mv", "-n", "a", "mem:x/a"]] {
            let refused = try work.program.run(arguments)
            #expect(refused.status == 1 && refused.errors.contains("gone when fp ends"), "\(refused.errors)")
            #expect(refused.errors.split(separator: "\n").count == 1)
        }
        #expect(work.read("a") == "aa" && work.read("d/sub/b") == "bb")
    }

    @Test(arguments: ["mv --overwrite", "mv -f", "cp --overwrite --symlinks copy"])
    func aLinkDoesNotReplaceWhatItLeadsTo(command: String) throws {
        let outcome = try work.program.shell("ln -s ../../a d/sub/link && ln -s a link && fp \(command) link a")
        #expect(
            outcome.status == 1 && outcome.errors.contains("source and destination are the same"), "\(outcome.errors)")
        #expect(try work.program.shell("fp \(command) d/sub/link a").status == 1)
        #expect(work.read("a") == "aa" && work.exists("link") && work.exists("d/sub/link"))
    }

    /// In another folder, it would point to itself.
    @Test(arguments: ["mv -f", "cp -f --symlinks copy"])
    func aLinkDoesNotReplaceWhatItWouldLeadTo(command: String) throws {
        let outcome = try work.program.shell("mkdir other && ln -s a other/latest && fp \(command) other/latest a")
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(work.read("a") == "aa" && work.exists("other/latest"))
    }

    @Test func dryRunChangesNothing() throws {
        #expect(try work.fp("mv", "-n", "a", "b").text == "would move a -> b\n")
        let other = try OtherFileSystem()
        #expect(try work.fp("mv", "-n", "d", "\(other.path)/d").status == 0)
        #expect(try work.names() == ["a", "d"] && other.names() == [])
        // There it is copied, file by file.
        let planned = try work.fp("mv", "-n", "--json", "d", "\(other.path)/d").objects
        #expect(planned.compactMap { $0["target"] as? String }.contains("\(other.path)/d/sub/b"), "\(planned)")
        let missing = try work.fp("mv", "-n", "a", "missing/x")
        #expect(missing.errors.hasPrefix("fp: mv: missing/x: the folder that it is to be in is not there"))
        for arguments in [["mv", "-n", "d", "d/e"], ["mv", "-n", "a", "a"]] {
            #expect(try work.program.run(arguments).errors == work.program.run(arguments.filter { $0 != "-n" }).errors)
            #expect(try work.program.run(arguments).status == 1)
        }
    }

    @Test func whatCannotBeCopiedStaysAndIsAnError() throws {
        #expect(mkfifo(work.folder.appendingPathComponent("d/pipe").path, 0o600) == 0)
        let other = try OtherFileSystem()
        let planned = try work.fp("mv", "-n", "d", "\(other.path)/d")
        #expect(planned.status == 1 && planned.errors.contains("fp: mv: d: 1 item stays there\n"), "\(planned.errors)")
        let outcome = try work.fp("mv", "d", "\(other.path)/d")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("fp: mv: d/pipe: skipped (neither file, directory nor link)\n"))
        #expect(outcome.errors.contains("\nfp: mv: d: 1 item stays there\n"), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix(" 1 skipped, 1 failed\n"), "\(outcome.errors)")
        #expect(try work.names("d") == ["pipe"])
        // What was to be left out is none.
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appendingPathComponent("e").path, withDestinationPath: "a")
        #expect(try work.fp("mv", "--symlinks", "skip", "e", "\(other.path)/e").status == 0)
        #expect(work.exists("e"))
    }

    /// As where names differ only in case, of which the storage has room for one.
    @Test func whatHasJustBeenMovedIsNotReplaced() throws {
        let outcome = try work.program.shell(
            "mkdir x y z && echo first > x/a && echo second > y/b && ln x/a z/b && fp mv -f x/a y/b z/")
        #expect(outcome.status == 1 && outcome.errors.contains("another source has become this one"), "\(outcome)")
        #expect(work.read("z/a") == "first\n" && work.read("z/b") == "first\n" && work.read("y/b") == "second\n")
    }

    @Test func anErrorAboutTheTargetNamesIt() throws {
        let nowhere = try work.fp("mv", "a", "d", "nowhere")
        #expect(nowhere.errors.hasPrefix("fp: mv: nowhere: no such folder, and several sources need one; "))
        #expect(
            try work.fp("mv", "a", "d", "d/sub/b").errors == "fp: mv: d/sub/b: cannot be written (not a directory)\n")
        #expect(try work.names() == ["a", "d"])
        for options in [[], ["--overwrite"], ["-n"]] {
            for target in ["d/sub/b/", "nowhere/"] {
                #expect(
                    try work.program.run(["mv"] + options + ["a", target]).errors
                        == "fp: mv: \(target): the folder that it is to be in is not there; `fp mkdir -p` makes one\n")
            }
        }
        for options in [[], ["--overwrite"], ["-n"]] {
            let refused = try work.program.run(["mv"] + options + ["d", "a"])
            #expect(refused.status == 1 && !refused.errors.contains("--overwrite"), "\(refused.errors)")
        }
        let long = String(repeating: "x", count: 300)
        #expect(try work.fp("mv", "a", "d/\(long)").errors.hasPrefix("fp: mv: d/\(long): invalid name"))
    }

    @Test(arguments: [false, true])
    func jsonEndsWithAReport(isElsewhere: Bool) throws {
        let other = try OtherFileSystem()
        let outcome = try work.fp("mv", "--json", "missing", "a", isElsewhere ? other.path : "d/")
        #expect(outcome.status == 1)
        let events = outcome.objects
        #expect(events.first?["event"] as? String == "failed")
        #expect(events.first?["source"] as? String == "missing")
        #expect(events.last?["event"] as? String == "report")
        #expect(events.last?["failed"] as? Int == 1)
        #expect(events.last?["copied"] as? Int == 0 && events.last?["moved"] as? Int == 1)
    }

    /// What `fp rm` refuses, a move does not do either.
    @Test func theRootOfARemoteStaysWhereItIs() throws {
        #expect(try work.fp("remote", "add", "disk", "file://\(work.folder.path)/d").status == 0)
        for target in ["elsewhere", "mem:x"] {
            let outcome = try work.fp("mv", "disk:", target)
            #expect(outcome.status == 1 && outcome.errors.contains("a storage's root cannot be moved"))
        }
        #expect(work.exists("d/sub/b"))
    }

    @Test func withoutVerificationNothingIsRemoved() throws {
        #expect(try work.fp("mv", "--verify", "none", "a", "mem:x/a").status == 64)
        #expect(try work.fp("mv", "missing", "b").status == 1)
        #expect(try work.fp("mv", "a").status == 64)
        #expect(try work.fp("mv", "a", "newfolder/").status == 1)
        #expect(try work.fp("mv", "d", "d/sub/x").status == 1)
        #expect(try work.names() == ["a", "d"])
    }
}
