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

    /// A saved remote is what the folder becomes, however its URL was written; with a slash, the folder goes inside.
    @Test(arguments: ["e", "e/"])
    func aSlashMeansInsideOfARemoteToo(saved: String) throws {
        #expect(try work.fp("mkdir", "e").status == 0)
        #expect(try work.fp("remote", "add", "there", saved).status == 0)
        #expect(try work.fp("cp", "-r", "d", "there:").status == 0)
        #expect(try work.names("e") == ["a", "sub"])
        #expect(try work.fp("cp", "-r", "d", "there:/").status == 0)
        #expect(try work.names("e") == ["a", "d", "sub"] && work.read("e/d/a") == "aa")
        #expect(try work.fp("cp", "-r", "d/.", "there:/").status == 0)
        #expect(try work.fp("sync", "d/sub", "there:/").status == 0)
        #expect(try work.names("e") == ["a", "b", "d", "sub"])
        #expect(try work.fp("cp", "-n", "-r", "d", "/").text.contains("would copy d/a -> /d/a"))
    }

    @Test func jsonTellsOfWhatCouldNotBeOpened() throws {
        let objects = try work.fp("cp", "--json", "nobody:f", "e").objects
        #expect(objects.map { $0["event"] as? String } == ["failed", "report"])
        #expect(objects.first?["source"] as? String == "nobody:f")
    }

    /// An error about a name that is no text is about the item that has it.
    @Test func anErrorNamesTheTargetWhateverItIsCalled() throws {
        let exists = try work.program.shell("printf 1 > $'\\xfe'; fp cp f $'\\xfe'")
        #expect(exists.errors.hasPrefix("fp: cp: \\376: the item exists already"), "\(exists.errors)")
        let missing = try work.program.shell("fp cp f $'\\xfd/x'")
        #expect(missing.errors.hasPrefix("fp: cp: \\375/x: the folder that it is to be in"), "\(missing.errors)")
    }

    @Test func everySourceIsNamedAsItWasWritten() throws {
        try FileManager.default.createDirectory(
            at: work.folder.appendingPathComponent("e"), withIntermediateDirectories: true)
        let shown = try work.fp("cp", "-v", "d/a", "d/sub/b", "f", "e").errors
        for line in ["fp: cp: d/a -> e/a", "fp: cp: d/sub/b -> e/b", "fp: cp: f -> e/f"] {
            #expect(shown.contains(line), "\(shown)")
        }
        for (name, folder) in [("one", "d"), ("other", "d/sub")] {
            let added = try work.fp("remote", "add", name, "file://\(work.folder.path)/\(folder)")
            #expect(added.status == 0, "\(added.errors)")
        }
        let copied = try work.fp("cp", "--json", "--overwrite", "one:a", "other:b", "e").objects
        #expect(copied.compactMap { $0["source"] as? String }.sorted() == ["one:a", "other:b"], "\(copied)")
    }

    @Test func aMissingSourceIsNamedByItsBytes() throws {
        let outcome = try work.program.shell("fp cp $'nope\\xfe' g")
        #expect(outcome.status == 1 && outcome.errors == "fp: cp: nope\\376: no such file or directory\n", "\(outcome)")
    }

    @Test(arguments: [["cp"], ["cp", "--dry-run"], ["mv"], ["mv", "--dry-run"]])
    func aMissingFolderIsNamedAsTheDestination(command: [String]) throws {
        let outcome = try work.program.run(command + ["f", "nowhere/g"])
        #expect(outcome.status == 1 && outcome.errors.contains("nowhere/g: the folder that it is"), "\(outcome.errors)")
        #expect(try work.names() == ["d", "f"])
    }

    @Test func aFolderWithADotBehindItIsWhatIsInIt() throws {
        for target in ["e", "e/", "g/"] {
            let outcome = try work.fp("cp", "-r", "d/.", target)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try work.names(target) == ["a", "sub"])
        }
        #expect(try work.fp("mv", "d/.", "h").status == 1)
        #expect(try work.names("d") == ["a", "sub"])
    }

    @Test func filesGoInside() throws {
        #expect(try work.fp("cp", "f", "d").status == 0)
        #expect(work.read("d/f") == "ff")
        #expect(try work.fp("cp", "f", "g").status == 0)
        #expect(work.read("g") == "ff")
        #expect(try work.fp("cp", "f", "missing/").status != 0)
        let missing = try work.fp("cp", "f", "missing/g").errors
        #expect(missing.hasPrefix("fp: cp: missing/g: the folder that it is to be in is not there; `fp mkdir -p`"))
        for command in ["cp", "mv"] {
            let misplaced = try work.fp(command, "f", "d/a/g").errors
            #expect(
                misplaced.hasPrefix("fp: \(command): d/a/g: no such file or directory (what should"), "\(misplaced)")
        }
        #expect(!work.exists("missing"))
    }

    @Test func whatCannotGoInsideDoesNotKeepTheOthers() throws {
        try work.write("x/f", "first")
        try work.write("y/f", "second")
        try work.write("into/old")
        let outcome = try work.fp("cp", "-r", "x", "into", "x/f", "y/f", "into")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("into: cannot be written (a directory cannot go into itself)"))
        #expect(outcome.errors.contains("y/f: "), "\(outcome.errors)")
        #expect(try work.names("into") == ["f", "old", "x"])
        #expect(work.read("into/f") == "first")
    }

    @Test func severalNeedAFolderAndThatIsSaidOnce() throws {
        for name in ["a", "b", "c"] { try work.write(name) }
        let outcome = try work.fp("cp", "a", "b", "c", "nodir/")
        #expect(outcome.status == 1 && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("several sources need one"), "\(outcome.errors)")
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

    @Test(arguments: [["cp", "d/a", "none/"], ["mv", "d/a", "none/"], ["cp", "d/a", "d/sub", "none"]])
    func anEventNamesTheEndThatIsAtFault(command: [String]) throws {
        let outcome = try work.program.run([command[0], "--json"] + command.dropFirst())
        let failed = try #require(outcome.objects.first { $0["event"] as? String == "failed" })
        #expect(failed["source"] as? String == "d/a")
        let error = try #require(failed["error"] as? String)
        #expect(error.hasPrefix("none") && outcome.errors.contains(error), "\(outcome)")
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
        // A report comes at the end also when nothing could begin.
        let nothing = try work.fp("cp", "--json", "missing", "neither", "d").objects.last
        #expect(nothing?["event"] as? String == "report")
        #expect(nothing?["failed"] as? Int == 2)
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

    @Test func followedLinksAreCopiedAsWhatTheyPointTo() throws {
        let outcome = try work.program.shell(
            """
            cd d && ln -s sub/b to-file && ln -s sub to-folder && ln -s to-folder to-link && cd .. && ln -s d/to-file link
            fp cp -r --symlinks follow d e && fp cp --symlinks follow link plain
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.names("e") == ["a", "sub", "to-file", "to-folder", "to-link"])
        for path in ["e/to-file", "e/to-folder/b", "e/to-link/b", "plain"] { #expect(work.read(path) == "bb") }
        let links = try work.program.shell("find e plain -type l")
        #expect(links.text.isEmpty)
    }

    @Test func linksThatLeadNowhereOrToWhatHoldsThemAreNamed() throws {
        let outcome = try work.program.shell(
            "cd d && ln -s missing nowhere && ln -s .. sub/up && cd .. && fp cp -r --symlinks follow d e")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("fp: cp: d/nowhere: no such file or directory (a link to missing"))
        #expect(outcome.errors.contains("fp: cp: d/sub/up: cannot be read (a link to a folder that it is in)"))
        #expect(try work.names("e/sub") == ["b"])
    }

    @Test(arguments: [
        "cp -r link/ e", "cp -r link/. e", "cp -r file://$PWD/link/ e", "cp -r $PWD/link/ e", "cp -rv link/ e",
        "cp -r deep/link/ e", "sync link e", "sync $PWD/link e",
    ])
    func aSlashBehindALinkMeansTheFolder(command: String) throws {
        let outcome = try work.program.shell("ln -s d link && mkdir deep && ln -s ../link deep/link && fp \(command)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.program.shell("test ! -L e && diff -r d e && test ! e/a -ef d/a").status == 0)
    }

    @Test(arguments: [
        "cp -r", "cp -rv", "cp -r --verify size", "cp -r --exclude zz", "cp -r --transfers 1", "sync", "sync --delete",
        "cp -r --symlinks follow",
    ])
    func newFoldersHaveTheirOriginalsTimes(command: String) throws {
        let outcome = try work.program.shell("touch -d @1500000000 d/sub d; fp \(command) d e; stat -c '%n %Y' e e/sub")
        #expect(outcome.text == "e 1500000000\ne/sub 1500000000\n", "\(outcome.errors)")
    }

    @Test func newFoldersHaveTheirOriginalsTimesAlsoAfterAnInterruption() throws {
        try work.write("d/sub/big", String(repeating: "x", count: 40 << 20))
        #expect(try work.program.shell("touch -d @1500000000 d/sub d").status == 0)
        let running = try work.program.start("cp", "-r", "--bwlimit", "16M", "d", "e")
        #expect(running.wait { ((try? work.names("e/sub")) ?? []).contains { $0.hasPrefix(".fp-") } })
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
        let outcome = try work.fp("cp", "-r", "--bwlimit", "16M", "d", "e")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let times = try work.program.shell("diff -r d e && stat -c '%n %Y' e e/sub").text
        #expect(times == "e 1500000000\ne/sub 1500000000\n")
    }

    @Test func aRemoteOfALinkMeansTheFolder() throws {
        let outcome = try work.program.shell("ln -s d link && fp remote add lk $PWD/link && fp cp -r lk: e")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.program.shell("test ! -L e && diff -r d e").status == 0)
    }

    @Test func aFolderBecomesARemoteAndAFileGoesInside() throws {
        let outcome = try work.program.shell(
            "mkdir r && fp remote add here $PWD/r && fp cp -r d here: && echo x > x && fp cp x here:")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try work.names("r") == ["a", "sub", "x"])
    }

    @Test func whatCannotBeReadDoesNotKeepTheRestOfAFolder() throws {
        try work.write("d/sub/locked", "x")
        let outcome = try work.program.shell(
            """
            if [ "$(id -u)" = 0 ]; then
                chown -R nobody . && run() { setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"; }
            else run() { "$@"; }; fi
            chmod 000 d/sub/locked && run "$(command -v fp)" cp -r d e
            """)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("fp: cp: d/sub/locked: permission denied"), "\(outcome.errors)")
        #expect(try work.names("e") == ["a", "sub"])
        #expect(try work.names("e/sub") == ["b"])
    }

    @Test func aWholeFolderIsOneLineInTheReportAndEachFileWhereThatIsAskedFor() throws {
        #expect(try work.fp("cp", "-R", "d", "e").errors.hasPrefix("fp: cp: 1 folder and 2 files copied (4B) in "))
        let outcome = try work.fp("cp", "-r", "--json", "d", "g")
        #expect(outcome.objects.compactMap { $0["target"] as? String }.sorted() == ["g", "g/a", "g/sub", "g/sub/b"])
        #expect(outcome.objects.last?["copied"] as? Int == 2)
    }

    @Test func overwritingTakesMoreThanAGuessForTheSame() throws {
        try work.write("x", "old", modified: 1_500_000_000)
        try work.write("y", "new", modified: 1_400_000_000)
        #expect(try work.fp("cp", "y", "x").status == 1)
        #expect(try work.fp("cp", "--overwrite", "y", "x").status == 0)
        #expect(work.read("x") == "new")
    }

    @Test func withoutAFolderForJournalsItCopiesAndSaysSo() throws {
        var program = work.program
        program.environment["XDG_STATE_HOME"] = "/dev/null"
        let outcome = try program.run("cp", "f", "g")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("fp: cp: an interruption could not be continued: "))
        #expect(work.read("g") == "ff")
    }

    @Test func aCopyIsNotSomebodyElsesProgram() throws {
        let outcome = try work.program.shell(
            "chmod 4755 f && fp cp f g && fp cp -r . ../$(basename $PWD).copy && stat -c %a g")
        #expect(outcome.lines.first == "755", "\(outcome.errors)")
        _ = try work.program.shell("rm -rf ../$(basename $PWD).copy")
    }

    @Test func aDryRunFailsAsTheRunWould() throws {
        for arguments in [
            ["cp", "f", "missing/x"], ["mv", "missing", "x"], ["mv", "f", "d/a"], ["mv", "f", "missing/x"],
        ] {
            let (dry, run) = (try work.program.run(arguments + ["-n"]), try work.program.run(arguments))
            #expect(dry.status == run.status, "\(arguments)")
            #expect(dry.status != 0)
        }
        #expect(try work.fp("mv", "-n", "--json", "f", "g").objects.first?["planned"] as? Bool == true)
        #expect(work.exists("f"))
    }

    @Test func withoutAWorkingDirectoryNothingIsTakenForTheRoot() throws {
        let outcome = try work.program.shell(
            "mkdir gone && cd gone && rmdir ../gone; fp ls etc; echo $?; fp rm -rf usr; echo $?; fp ls /etc >/dev/null; echo $?"
        )
        #expect(outcome.lines == ["1", "1", "0"] || outcome.lines == ["2", "2", "0"], "\(outcome.text)")
        #expect(outcome.errors.contains("no such file or directory"))
    }

    @Test func aCopyThatCannotBePlannedIsReportedToo() throws {
        let outcome = try work.fp("cp", "--json", "missing", "d")
        #expect(outcome.status == 1)
        #expect(outcome.objects.map { $0["event"] as? String } == ["failed", "report"])
        #expect(outcome.objects.last?["failed"] as? Int == 1)
    }

    @Test func progressIsForTerminals() throws {
        try work.write("big", String(repeating: "x", count: 1 << 20))
        work.program.environment = ["TERM": "xterm"]
        let arguments = ["cp", "--bwlimit", "2M", "big", "mem:x/"]
        let shown = try work.program.terminal(arguments, typing: "").text
        #expect(shown.contains("\u{1B}[36m") && shown.contains("of 1.0M") && shown.contains("%  big"), "\(shown)")
        #expect(shown.contains("fp: cp: 1 file copied (1.0M)"))
        work.program.environment = ["TERM": "xterm", "NO_COLOR": "1"]
        let plain = try work.program.terminal(arguments, typing: "").text
        #expect(plain.contains("of 1.0M") && !plain.contains("\u{1B}[36m") && !plain.contains("\u{1B}[2m"))
        for environment in [["TERM": "dumb"], [:]] {
            work.program.environment = environment
            #expect(try !work.program.terminal(arguments, typing: "").text.contains("of 1.0M"))
        }
        work.program.environment = ["TERM": "xterm"]
        #expect(try work.program.terminal(["cp", "-q", "--bwlimit", "2M", "big", "mem:x/"], typing: "").text.isEmpty)
        #expect(try !work.program.run(arguments).errors.contains("of 1.0M"))
    }

    @Test func noFasterThanAllowed() throws {
        try work.write("big", String(repeating: "x", count: 4 << 20))
        let outcome = try work.fp("cp", "--json", "--bwlimit", "4M", "big", "mem:x/")
        // What was read last need not be waited for: a megabyte at most.
        #expect(outcome.objects.last?["milliseconds"] as? Int ?? 0 >= 700, "\(outcome.text)")
    }

    /// Nobody has named the link.
    @Test func aFolderIsNotCopiedThroughALinkInTheDestination() throws {
        try work.write("one/e", "1")
        try work.write("two/f", "2")
        #expect(try work.program.shell("mkdir dst else && ln -s ../else dst/one").status == 0)
        for arguments in [["one", "two", "dst"], ["one", "dst/"], ["one", "missing", "dst"]] {
            let outcome = try work.program.run(["cp", "-r"] + arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("(a link stands where a directory is to go)"), "\(outcome.errors)")
        }
        #expect(try work.names("else") == [] && work.read("dst/two/f") == "2")
        // This one is named.
        #expect(try work.fp("cp", "-r", "one", "dst/one").status == 0)
        #expect(work.read("else/e") == "1")
    }

    @Test func patternsAreBytesAsNamesAre() throws {
        let outcome = try work.program.shell(
            "mkdir s t && printf x > s/a && X=$(printf 'caf\\351') && printf precious > t/$X && "
                + "fp sync --delete --exclude $X s t && cat t/$X && printf y > s/$X && fp cp -r --exclude=$X s u && ls u"
        )
        #expect(outcome.status == 0 && outcome.text == "preciousa\n", "\(outcome.text) \(outcome.errors)")
    }

    /// The first run was slowed down, so that it wrote in parts; the second one copies within the storage.
    @Test func whatASlowRunHasLeftGoesWithTheFastOne() throws {
        try work.write("big", String(repeating: "x", count: 40 << 20))
        try work.write("out/other")
        let running = try work.program.start("cp", "--bwlimit", "8M", "big", "out/big")
        let folder = work.folder.appendingPathComponent("out").path
        #expect(
            running.wait {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return names.contains { name in
                    let size = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int
                    return name.hasPrefix(".fp-") && size ?? 0 > 9 << 20
                }
            })
        kill(running.process.processIdentifier, SIGTERM)
        _ = try running.wait()
        #expect(try work.fp("cp", "big", "out/big").status == 0)
        #expect(try work.names("out") == ["big", "other"])
        #expect(try work.fp("transfers", "list").text == "")
    }

    @Test(arguments: ["cp", "mv"])
    func oneThatCannotBeOpenedDoesNotKeepTheOthers(command: String) throws {
        for name in ["p", "q", "out/old"] { try work.write(name) }
        let outcome = try work.fp(command, "p", "nosuch:x", "q", "out/")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("nosuch:x"))
        #expect(try work.names("out") == ["old", "p", "q"])
    }

    @Test func oneOnAServerThatIsAwayDoesNotKeepTheOthers() throws {
        for name in ["p", "q", "out/old"] { try work.write(name) }
        let outcome = try work.fp("cp", "p", "dav://127.0.0.1:1/x", "q", "out/")
        #expect(outcome.status == 1)
        #expect(try work.names("out") == ["old", "p", "q"])
        #expect(try work.fp("cp", "dav://127.0.0.1:1/x", "nosuch:x", "out/").status == 2)
    }

    @Test func eventsComeWhileItCopies() throws {
        for number in 0..<40 { try work.write("tree/\(number)", String(repeating: "x", count: 1000)) }
        let running = try work.program.start("cp", "-r", "--json", "--bwlimit", "8K", "tree", "copy")
        #expect(running.wait { running.outputSoFar.contains("copied") })
        #expect(running.process.isRunning)
        kill(running.process.processIdentifier, SIGTERM)
        let outcome = try running.wait()
        #expect(outcome.status == 143)
        let report = try #require(outcome.objects.last)
        #expect(report["event"] as? String == "report" && report["stopped"] as? Bool == true)
        #expect(report["copied"] as? Int == outcome.objects.filter { $0["event"] as? String == "copied" }.count)
        #expect(report["failed"] as? Int == 0)
        #expect(try #require(report["milliseconds"] as? Int) > 0)
    }
}
