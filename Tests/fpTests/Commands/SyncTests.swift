import Foundation
import Testing

@Suite struct SyncTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        try work.write("photos/a", "aa")
        try work.write("photos/sub/b", "bb")
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
}
