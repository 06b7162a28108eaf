import Foundation
import Testing

/// Folders that may not be read are named, and the rest has its turn.
@Suite struct UnreadableTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        for path in ["d/a/file", "d/shut/hidden", "d/z/file"] { try work.write(path) }
        try open(0)
    }

    private func open(_ permissions: Int) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: work.folder.appending(path: "d/shut").path)
    }

    /// Runs `fp` without the right of root to read everything.
    private func fp(_ arguments: String...) throws -> Program.Outcome {
        defer { try? open(0o755) }
        let asUser = getuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search -- " : ""
        return try work.program.shell(asUser + "fp " + arguments.joined(separator: " "))
    }

    @Test(
        arguments: [
            ("ls -R", ["a/", "a/file", "shut/", "z/", "z/file"]),
            ("find", ["d/a/", "d/a/file", "d/shut/", "d/z/", "d/z/file"]),
            ("du", ["0\td/shut", "10\td", "5\td/a", "5\td/z"]), ("du -s", ["10\td"]),
            (
                "tree",
                ["    └── file", "3 directories, 2 files", "d", "│   └── file", "└── z/", "├── a/", "├── shut/"]
            ),
        ])
    func theRestIsShown(command: String, lines: [String]) throws {
        let outcome = try fp(command, "d", command == "find" ? "TRUEPREDICATE" : "")
        #expect(outcome.lines.sorted() == lines)
        #expect(outcome.status == 1)
        let name = command.split(separator: " ")[0]
        #expect(outcome.errors == "fp: \(name): d/shut: permission denied\n")
    }

    @Test func theRestIsRemoved() throws {
        try work.write("d/other/fixed/file")
        let fixed = work.folder.appending(path: "d/other/fixed").path
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: fixed)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fixed) }
        let outcome = try fp("rm", "-r", "d")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.split(separator: "\n").sorted() == [
                "fp: rm: d/other/fixed/file: permission denied", "fp: rm: d/shut: permission denied",
            ])
        #expect(try work.names("d") == ["other", "shut"])
        #expect(work.exists("d/shut/hidden"))
    }
}
