import Foundation
import Testing

/// Pipes, sockets and devices are neither copied nor written to.
@Suite struct SpecialFileTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("s/f", "text")
        #expect(mkfifo(work.folder.appendingPathComponent("s/pipe").path, 0o600) == 0)
    }

    @Test(arguments: [[], ["-v"], ["--json"], ["--verify", "hash"], ["-n"]], [false, true])
    func theyAreSkippedInEveryWay(options: [String], exists: Bool) throws {
        if exists { try work.write("d/old") }
        let outcome = try work.program.run(["cp", "-r"] + options + ["s", "d"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect((outcome.text + outcome.errors).contains("neither file, directory nor link"), "\(outcome)")
        #expect(!work.exists("d/pipe"))
        #expect(options == ["-n"] || work.read("d/f") == "text")
    }

    @Test(arguments: [[], ["--verify", "hash"], ["--update"]])
    func theyAreNeitherReplacedNorWrittenTo(options: [String]) throws {
        let way = options == ["--update"] ? options : options + ["--overwrite"]
        for command in ["cp", "mv"] where command == "cp" || !options.contains("--update") {
            let outcome = try work.program.run([command] + way + ["s/f", "s/pipe"])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("neither replaced nor written to"), "\(outcome.errors)")
        }
        #expect(try work.program.shell("test -p s/pipe").status == 0)
        #expect(work.read("s/f") == "text")
    }

    /// There is no option that would help.
    @Test func theyAreNotSaidToBeReplaceable() throws {
        let outcome = try work.fp("cp", "s/f", "s/pipe")
        #expect(outcome.status == 1 && outcome.errors.contains("neither replaced nor written to"), "\(outcome.errors)")
    }
}
