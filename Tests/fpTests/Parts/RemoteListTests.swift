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
}
