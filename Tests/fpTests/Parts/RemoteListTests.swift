import FileProviders
import Foundation
import Testing

@testable import fp

@Suite struct RemoteListTests {
    /// As when two processes have both found the name free.
    @Test func aNameIsTakenOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("remotes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = RemoteList(folder: LocalPath(folder.path))
        func entry(_ name: String) -> StoredProvider {
            StoredProvider(name: name, type: "Local", root: .root, configuration: .object([:]))
        }
        try list.add(entry("a"), with: nil)
        #expect(throws: Refusal.self) { try list.add(entry("a"), with: nil) }
        try list.add(entry("b"), with: nil)
        #expect(try list.entries().map(\.name) == ["a", "b"])
    }
}
