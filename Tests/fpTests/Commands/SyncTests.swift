import Foundation
import TestSupport
import Testing

@Suite struct SyncTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("photos/a", "aa")
        try work.write("photos/sub/b", "bb")
    }

    @Test func aFolderIsNotMirroredToOneThatHoldsIt() throws {
        for number in 0..<3 { try work.write("p/src/\(number)") }
        let refused = try work.fp("sync", "--delete", "--max-delete", "100%", "p/src", "p")
        #expect(refused.status != 0 && refused.errors.contains("would be removed"), "\(refused.errors)")
        #expect(try work.names("p/src").count == 3)
        #expect(try work.fp("sync", "p/src", "p").status == 0)
    }

    private static let exception = ", not counting what this mirror has put there,"

    /// The first run has copied what is new before it was refused.
    @Test(arguments: [false, true]) func `what is refused is refused again`(isOnServer: Bool) throws {
        let location = isOnServer ? try #require(TestServer("APACHE")).location + "fp-\(UUID().uuidString)" : "old"
        defer { if isOnServer { _ = try? work.fp("rm", "-rf", location) } }
        for number in 0..<3 {
            try work.write("before/old \(number)")
            try work.write("photos/folder \(number)/new")
        }
        #expect(try work.fp("cp", "-r", "before", location).status == 0)
        for exception in ["", Self.exception, Self.exception] {
            for options in [["--dry-run"], []] {
                let refused = try work.program.run(["sync", "--delete"] + options + ["photos", location])
                #expect(
                    refused.status == 1 && refused.errors.contains("(3 of 3 items\(exception) would be removed)"),
                    "\(refused.errors)")
            }
        }
        #expect(try work.fp("ls", location).lines.contains("old 0"))
        #expect(try work.fp("sync", "--delete", "--max-delete", "3", "photos", location).status == 0)
        let names = try work.fp("ls", location).lines.sorted()
        #expect(names == ["a", "folder 0/", "folder 1/", "folder 2/", "sub/"], "\(names)")
        #expect(try work.fp("transfers", "list").text == "")
    }

    @Test(arguments: ["edited", "failed"])
    func `what an earlier run has put there does not count, whatever has become of it`(trouble: String) throws {
        for number in 0..<3 { try work.write("old/old \(number)") }
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appending(path: "photos/link").path, withDestinationPath: "a")
        // Something that cannot be copied there.
        let pipe = work.folder.appending(path: "photos/pipe").path
        if trouble == "failed" { #expect(mkfifo(pipe, 0o600) == 0) }
        #expect(try work.fp("sync", "--delete", "photos", "old").status == 1)
        if trouble == "failed" { try FileManager.default.removeItem(atPath: pipe) }
        try work.write("photos/a", "edited since")
        let refused = try work.fp("sync", "--delete", "photos", "old")
        #expect(
            refused.status == 1 && refused.errors.contains("(3 of 3 items\(Self.exception) would be removed)"),
            "\(refused.errors)")
    }

    @Test func `what an earlier run has put there does not count when it is removed`() throws {
        for number in 0..<4 {
            try work.write("photos/\(number)")
            try work.write("old/old \(number)")
        }
        #expect(try work.fp("sync", "--delete", "--max-delete", "3", "photos", "old").status == 1)
        for number in 0..<4 { try FileManager.default.removeItem(at: work.folder.appending(path: "old/old \(number)")) }
        try FileManager.default.removeItem(at: work.folder.appending(path: "photos/0"))
        try FileManager.default.removeItem(at: work.folder.appending(path: "photos/sub"))
        let foreseen = try work.fp("sync", "--delete", "--dry-run", "photos", "old")
        #expect(foreseen.status == 0 && foreseen.text.contains("old/sub"), "\(foreseen.text)\(foreseen.errors)")
        let done = try work.fp("sync", "--delete", "photos", "old")
        #expect(done.status == 0 && done.errors.contains(", 2 removed"), "\(done.errors)")
        #expect(try work.names("old") == ["1", "2", "3", "a"])
    }

    @Test func `what an earlier run has put there is not removed all at once`() throws {
        for number in 0..<4 { try work.write("old/old \(number)") }
        #expect(try work.fp("sync", "--delete", "photos", "old").status == 1)
        for number in 0..<4 { try FileManager.default.removeItem(at: work.folder.appending(path: "old/old \(number)")) }
        try FileManager.default.removeItem(at: work.folder.appending(path: "photos/sub"))
        let refused = try work.fp("sync", "--delete", "photos", "old")
        #expect(refused.status == 1 && refused.errors.contains("(2 of 3 items would be removed)"), "\(refused.errors)")
        #expect(try work.names("old/sub") == ["b"])
        #expect(try work.fp("sync", "--delete", "--max-delete", "1", "photos", "old").status == 1)
        #expect(try work.fp("sync", "--delete", "--max-delete", "2", "photos", "old").status == 0)
    }

    @Test func `what an earlier run has replaced was there before`() throws {
        for number in 0..<10 { try work.write("old/\(number)") }
        for number in 0..<6 { try work.write("photos/\(number)", "changed") }
        let refused = try work.fp("sync", "--delete", "--max-delete", "3", "photos", "old")
        #expect(refused.status == 1 && refused.errors.contains("(4 of 10 items"), "\(refused.errors)")
        let done = try work.fp("sync", "--delete", "photos", "old")
        #expect(done.status == 0 && done.errors.contains(", 4 removed"), "\(done.errors)")
    }

    /// The server shows the folder under two addresses.
    @Test func aFolderIsNotMirroredToOneThatHoldsItElsewhere() throws {
        let name = "fp-\(UUID().uuidString)"
        let location = try #require(TestServer("APACHE")).location + name
        defer { _ = try? work.fp("rm", "-rf", location) }
        #expect(try work.fp("mkdir", location).status == 0)
        #expect(try work.fp("cp", "-r", "photos", "\(location)/").status == 0)
        let elsewhere = location.replacing("127.0.0.1", with: "localhost")
        let refused = try work.fp("sync", "--delete", "--max-delete", "100%", "\(location)/photos", elsewhere)
        #expect(refused.status == 1 && refused.errors.contains("lies in what is to mirror it"), "\(refused.errors)")
        #expect(try work.fp("cat", "\(location)/photos/sub/b").text == "bb")
    }

    /// What cannot be read does not take the place of anything.
    @Test func whatStandsInTheWayOfAnUnreadableFileStays() throws {
        for number in 0..<6 {
            try work.write("photos/\(number)", "same", modified: 1_000_000_000)
            try work.write("old/\(number)", "same", modified: 1_000_000_000)
        }
        try work.write("photos/x", "secret")
        try work.write("old/x/keep", "kept")
        let script =
            "chmod 000 photos/x; \(asUser)fp sync --delete photos old; status=$?; chmod 644 photos/x; exit $status"
        let outcome = try work.program.shell(script)
        #expect(outcome.status == 1 && outcome.errors.contains("photos/x: permission denied"), "\(outcome.errors)")
        #expect(work.read("old/x/keep") == "kept")
    }

    /// Without the right of root to read everything.
    private var asUser: String {
        getuid() == 0 ? "setpriv --bounding-set=-dac_override,-dac_read_search -- " : ""
    }

    @Test func aFileIsNoBackupFolder() throws {
        try work.write("old/a", "older")
        try work.write("attic")
        let refused = try work.fp("sync", "--backup-dir", "attic", "photos", "old")
        #expect(refused.status == 1 && refused.errors.hasPrefix("fp: sync: attic: "), "\(refused.errors)")
        #expect(work.read("old/a") == "older")
    }

    @Test func theMirrorIsWhatTheSourceBecomes() throws {
        try work.write("old/gone")
        try work.write("old/a", "aa")
        #expect(try work.fp("sync", "--delete", "photos", "old/").status == 0)
        #expect(try work.names("old") == ["a", "sub"])
        #expect(work.read("old/sub/b") == "bb")
    }

    @Test func aLinkToAFolderIsThatFolder() throws {
        try FileManager.default.createSymbolicLink(
            atPath: work.folder.appendingPathComponent("link").path, withDestinationPath: "photos")
        try work.write("old/gone")
        try work.write("old/a", "aa")
        #expect(try work.fp("sync", "--delete", "link", "old").status == 0)
        #expect(try work.names("old") == ["a", "sub"])
        #expect(try work.fp("sync", "link", "new").status == 0)
        #expect(work.read("new/sub/b") == "bb")
        #expect(try work.program.shell("test ! -L new").status == 0)
    }

    /// What is replaced would go over what replaces it.
    @Test(arguments: ["photos", "photos/attic", "."])
    func theSourceIsNotTheBackup(folder: String) throws {
        try work.write("old/a", "older")
        let refused = try work.fp("sync", "--delete", "--backup-dir", folder, "photos", "old")
        #expect(refused.status == 1 && refused.errors.contains("apart from the source"), "\(refused.errors)")
        #expect(folder == "." || refused.errors.hasPrefix("fp: sync: \(folder): "), "\(refused.errors)")
        #expect(work.read("photos/a") == "aa" && work.read("old/a") == "older")
    }

    @Test func aDryRunSaysWhatIsToBeDone() throws {
        for name in ["gone", "a"] { try work.write("old/\(name)", "aa", modified: 1_500_000_000) }
        try work.write("photos/a", "aa", modified: 1_500_000_000)
        let planned = try work.fp("sync", "--delete", "-n", "photos", "old")
        #expect(planned.status == 0 && planned.errors.contains(", 1 to remove, 1 unchanged"), "\(planned.errors)")
        #expect(
            Set(planned.lines) == [
                "would make old/sub", "would copy photos/sub/b -> old/sub/b (2B)", "would remove old/gone",
            ])
        #expect(work.exists("old/gone"))
    }

    @Test func filtersThatLeaveNothingAreNamed() throws {
        try work.write("old/x.c")
        let refused = try work.fp("sync", "--delete", "--max-delete", "100%", "--include", "*.c", "photos", "old")
        #expect(
            refused.status == 1 && refused.errors.contains("the filters leave nothing of the source"),
            "\(refused.errors)")
        #expect(work.exists("old/x.c"))
    }

    @Test func aFileIsNoFolderToMirror() throws {
        let refused = try work.fp("sync", "photos/a", "copy")
        #expect(refused.status == 1)
        #expect(refused.errors == "fp: sync: photos/a: cannot be read (not a directory)\n")
        #expect(try work.names("") == ["photos"])
    }
}
