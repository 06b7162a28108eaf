import Foundation
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
    }

    @Test func aFileIsNoFolderToMirror() throws {
        let refused = try work.fp("sync", "photos/a", "copy")
        #expect(refused.status == 1)
        #expect(refused.errors == "fp: sync: photos/a: cannot be read (not a directory)\n")
        #expect(try work.names("") == ["photos"])
    }
}
