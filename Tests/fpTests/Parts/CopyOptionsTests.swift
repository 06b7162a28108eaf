import FileProviders
import Testing

@testable import fp

@Suite struct CopyOptionsTests {
    private func options(_ arguments: String...) throws -> TransferOptions {
        let command = try #require(try FP.parseAsRoot(["cp", "-r"] + arguments + ["a", "b"]) as? CopyCommand)
        return command.copying.transferOptions(verification: .automatic, command.conflicts, command.access)
    }

    @Test func defaults() throws {
        let options = try options()
        #expect(options.concurrency == nil && options.bytesPerSecond == nil)
        #expect(options.verification == .automatic && options.conflict == .refuse)
        #expect(options.symlinks == .copy && options.names == .refuse)
        #expect(!options.flush && !options.dryRun)
    }

    @Test func eachReachesTheEngine() throws {
        #expect(try options("--transfers", "3").concurrency == 3)
        #expect(try options("--verify", "readback").verification == .readback)
        #expect(try options("--symlinks", "follow").symlinks == .follow)
        #expect(try options("--names", "map").names == .map)
        #expect(try options("--sync").flush)
        #expect(try options("--timeout", "7").retries.outage == .seconds(7))
        #expect(try options("--dry-run").dryRun)
        #expect(try options("--overwrite").conflict == .overwrite)
        #expect(try options("--skip-existing").conflict == .skip)
        #expect(try options("--update").conflict == .update)
    }

    @Test(
        arguments: [
            ("1", 1), ("1000", 1000), ("2K", 2048), ("60M", 62_914_560), ("1.5m", 1_572_864), ("1G", 1_073_741_824),
        ] as [(String, Int64)])
    func bandwidth(text: String, bytes: Int64) throws {
        #expect(try options("--bwlimit", text).bytesPerSecond == bytes)
    }

    @Test(arguments: [
        ["--bwlimit", "0"], ["--bwlimit", "fast"], ["--bwlimit=-1M"], ["--bwlimit", "1T"], ["--transfers", "0"],
        ["--transfers", "1025"], ["--names", "drop"], ["--verify", "automatic"], ["--symlinks", "keep"], ["-q", "-v"],
        ["--overwrite", "--update"],
    ])
    func misuse(arguments: [String]) {
        #expect(throws: (any Error).self) { try FP.parseAsRoot(["cp"] + arguments + ["a", "b"]) }
    }
}
