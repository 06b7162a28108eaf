import Dispatch
import FileProviders
import Foundation
import Testing

@testable import fp

@Suite struct RemoteListTests {
    /// As when several processes have found the name free.
    @Test func aNameIsTakenOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("remotes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        @Sendable func add(_ name: String) throws {
            let entry = StoredProvider(name: name, type: "Local", root: .root, configuration: .object([:]))
            try RemoteList(folder: LocalPath(folder.path)).add(entry, with: nil)
        }
        let refusals = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do { try add("a") } catch { refusals.withLock { $0 += 1 } }
        }
        #expect(refusals.withLock { $0 } == 5)
        try add("b")
        #expect(try RemoteList(folder: LocalPath(folder.path)).entries().map(\.name) == ["a", "b"])
    }

    @Test func numbersOfEntriesOfOthersStay() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("remotes-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("remotes.json")
        try Data(#"[{"kind": "another's", "number": 18446744073709551615}]"#.utf8).write(to: file)
        let entry = StoredProvider(name: "a", type: "Local", root: .root, configuration: .object([:]))
        try RemoteList(folder: LocalPath(folder.path)).add(entry, with: nil)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("18446744073709551615"))
    }
}
