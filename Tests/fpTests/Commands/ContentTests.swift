import Foundation
import Testing

@Suite struct ContentTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("a", "0123456789")
        try work.write("d/b", "bb")
        try work.write("d/c.jpg", "cc")
    }

    @Test(
        arguments: [
            ([], "0123456789"), (["--offset", "3"], "3456789"), (["--offset", "3", "--length", "4"], "3456"),
            (["--length", "0"], ""), (["--offset", "99"], ""), (["--offset=-3"], "789"),
            (["--offset", "-3"], "789"),
        ] as [([String], String)])
    func cat(options: [String], text: String) throws {
        #expect(try work.program.run(["cat", "a"] + options).text == text)
    }

    @Test func catJoinsAndNamesWhatFails() throws {
        let outcome = try work.fp("cat", "a", "missing", "d", "d/b")
        #expect(outcome.text == "0123456789bb")
        #expect(outcome.errors.hasPrefix("fp: cat: missing: no such file or directory\nfp: cat: d: "))
        #expect(outcome.errors.split(separator: "\n").count == 2)
        #expect(outcome.status == 1)
    }

    @Test(arguments: ["/proc/version", "/proc/sys/kernel/osrelease"])
    func filesThatSayTheyAreEmptyAreReadToTheirEnd(path: String) throws {
        let outcome = try work.program.shell("fp cat \(path) | cmp - \(path) && fp hash \(path) | sha256sum -c --quiet")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try work.fp("cat", "--offset", "1", "--length", "3", "/proc/version").text == "inu")
    }

    @Test(arguments: ["cat a | fp hash /dev/stdin", "fp hash <(cat a)", "mkfifo p; cat a > p & fp hash p"])
    func pipesAreHashedToTheirEnd(command: String) throws {
        let outcome = try work.program.shell(command)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.text.prefix(64) == (try work.program.shell("sha256sum a").text.prefix(64)))
    }

    @Test func hashesLikeSha256sum() throws {
        let outcome = try work.program.shell(
            "fp hash a d/b | sha256sum -c --quiet && fp hash -a md5 a | md5sum -c --quiet")
        #expect(outcome.status == 0, "\(outcome)")
        let odd = try work.program.shell(
            #"f="$(printf 'x\ny\\z')"; echo 1 > "$f"; fp hash "$f" | sha256sum -c --quiet"#)
        #expect(odd.status == 0, "\(odd)")
    }

    @Test func findPrintsWhatCanBeGivenBack() throws {
        #expect(try work.fp("find", "d", "name LIKE '*.jpg'").text == "d/c.jpg\n")
        #expect(try work.fp("find", "a", "fileSize = 10").text == "a\n")
        #expect(try Set(work.fp("find", ".", "isDirectory = FALSE").lines) == ["./a", "./d/b", "./d/c.jpg"])
        let piped = try work.program.shell("fp find -0 d 'fileSize = 2' | xargs -0 fp cat")
        #expect(Set(piped.text.split(separator: "")) == ["b", "c"])
    }

    @Test func aMistakeInAPredicateIsShown() throws {
        let outcome = try work.fp("find", "d", "name LIKE")
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix("fp: “name LIKE”: ") && outcome.errors.contains("(column 10)"), "\(outcome.errors)"
        )
        #expect(outcome.errors.split(separator: "\n").count == 1)
        let watch = try work.fp("watch", "--query", "name = ", "d")
        #expect(watch.status == 64 && watch.errors.split(separator: "\n").count == 1, "\(watch.errors)")
    }

    @Test func standardInputIsAFileToo() throws {
        let outcome = try work.program.shell("printf in | fp cat a - d/b")
        #expect(outcome.text == "0123456789inbb", "\(outcome.errors)")
        #expect(try work.program.shell("printf out > ./-; fp cat ./- < /dev/null").text == "out")
    }

    /// Otherwise the next files to be opened would take their places.
    @Test(.timeLimit(.minutes(5))) func closedStandardFilesAreErrors() throws {
        try work.write("file")
        for script in ["fp cat - <&-", "fp cp - copy <&-", "fp cat file >&-"] {
            #expect(try work.program.shell(script).status == 1, "\(script)")
        }
        #expect(!work.exists("copy"))
        #expect(try work.program.shell("fp ls nothing 2>&-").status != 0)
    }
}
