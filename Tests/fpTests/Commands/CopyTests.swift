import Foundation
import Testing

@Suite struct CopyTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("d/a", "aa", modified: 1_500_000_000.25)
        try work.write("d/sub/b", "bb")
        try work.write("f", "ff")
    }

    @Test func aFolderBecomesTheDestination() throws {
        for _ in 0..<2 {
            let outcome = try work.fp("cp", "-r", "d", "e")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.isEmpty)
            #expect(try work.names("e") == ["a", "sub"])
        }
        let times = try [work.folder.appendingPathComponent("d/a"), work.folder.appendingPathComponent("e/a")].map {
            try FileManager.default.attributesOfItem(atPath: $0.path)[.modificationDate] as? Date
        }
        #expect(times[0] == times[1])
        #expect(try work.fp("cp", "-r", "d", "e/").status == 0)
        #expect(try work.names("e") == ["a", "d", "sub"])
    }

    @Test func filesGoInside() throws {
        #expect(try work.fp("cp", "f", "d").status == 0)
        #expect(work.read("d/f") == "ff")
        #expect(try work.fp("cp", "f", "g").status == 0)
        #expect(work.read("g") == "ff")
        #expect(try work.fp("cp", "f", "missing/").status != 0)
        #expect(!work.exists("missing"))
    }

    @Test func severalGoInsideAndTheOthersAreStillCopied() throws {
        try work.write("x/keep")
        let outcome = try work.fp("cp", "f", "missing", "d", "x")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.hasPrefix(
                "fp: cp: missing: no such file or directory\nfp: cp: d: it is a folder; -r copies it\nfp: cp: 1 file copied (2B)"
            ))
        #expect(try work.names("x") == ["f", "keep"])
        #expect(try work.fp("cp", "-r", "missing", "d", "x").status == 1)
        #expect(try work.names("x") == ["d", "f", "keep"])
    }

    @Test func withoutRecursionAFolderIsAnError() throws {
        let outcome = try work.fp("cp", "d", "e")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("fp: cp: d: "))
        #expect(outcome.errors.contains("-r"))
        #expect(!work.exists("e"))
    }

    @Test func whatExistsIsAnErrorAndTheRestIsCopied() throws {
        try work.write("e/a", "another")
        let outcome = try work.fp("cp", "-r", "d", "e")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("fp: cp: e/a: the item exists already"))
        #expect(work.read("e/a") == "another")
        #expect(work.read("e/sub/b") == "bb")
        #expect(try work.fp("cp", "-r", "--skip-existing", "d", "e").status == 0)
        #expect(work.read("e/a") == "another")
        #expect(try work.fp("cp", "-r", "--update", "d", "e").status == 0)
        #expect(work.read("e/a") == "another")
        #expect(try work.fp("cp", "-r", "--overwrite", "d", "e").status == 0)
        #expect(work.read("e/a") == "aa")
    }

    @Test func rulesDecideInTheirOrder() throws {
        try work.write("d/x.o")
        try work.write("d/keep.o")
        #expect(try work.fp("cp", "-r", "--include", "keep.o", "--exclude", "*.o", "d", "e").status == 0)
        #expect(try work.names("e") == ["a", "keep.o", "sub"])
        #expect(try work.fp("cp", "-r", "--exclude=*.o", "--include=keep.o", "d", "g").status == 0)
        #expect(try work.names("g").contains("keep.o") == false)
        #expect(try work.fp("cp", "-r", "--exclude", "sub/", "d", "h").status == 0)
        #expect(work.exists("h/sub") == false)
    }

    @Test func dryRunChangesNothing() throws {
        let outcome = try work.fp("cp", "-rn", "d", "e")
        #expect(outcome.status == 0)
        #expect(
            Set(outcome.lines) == [
                "would copy d/a -> e/a (2B)", "would copy d/sub/b -> e/sub/b (2B)", "would make e",
                "would make e/sub",
            ])
        #expect(!work.exists("e"))
    }

    @Test func jsonEvents() throws {
        try work.write("e/a", "another")
        let outcome = try work.fp("cp", "-r", "--json", "d", "e")
        #expect(outcome.status == 1)
        let failed = try #require(outcome.objects.first { $0["event"] as? String == "failed" })
        #expect(failed["target"] as? String == "e/a")
        #expect((failed["error"] as? String)?.hasPrefix("e/a: ") == true)
        let report = try #require(outcome.objects.last)
        #expect(report["event"] as? String == "report")
        #expect(report["failed"] as? Int == 1)
        #expect(report["copied"] as? Int == 1)
    }

    @Test func verboseNamesEachFileAndItsAssurance() throws {
        let outcome = try work.fp("cp", "-v", "--verify", "readback", "f", "g")
        #expect(outcome.errors.hasPrefix("fp: cp: f -> g (2B, verified by reading back)\n"))
        #expect(try work.fp("cp", "-q", "f", "h").errors.isEmpty)
    }

    @Test func links() throws {
        _ = try work.fp("ln", "-s", "a", "d/l")
        #expect(try work.fp("cp", "-r", "d", "e").status == 0)
        let link = work.folder.appendingPathComponent("e/l").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a")
        #expect(try work.fp("cp", "-r", "--symlinks", "skip", "d", "g").status == 0)
        #expect(!work.exists("g/l"))
        #expect(try work.fp("cp", "-r", "--symlinks", "follow", "d", "h").status == 0)
        #expect(work.read("h/l") == "aa")
    }

    @Test func intoItselfIsRefused() throws {
        #expect(try work.fp("cp", "-r", "d", "d/sub/x").status == 1)
        #expect(try work.fp("cp", "f", "f").status == 1)
        #expect(work.read("f") == "ff")
        #expect(!work.exists("d/sub/x"))
    }
}
