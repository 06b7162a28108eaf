import CloudCore
import FileProviding
import Testing

/// What shows a query's results can be tested without a core.
@Suite struct HandMadeValueTests {
    private func item(_ number: Int64, _ path: ItemPath, revision: Int64 = 0) -> Item {
        var version = ServerVersion(type: .regular)
        version.size = number
        return Item(localID: LocalID(rawValue: number), path: path, version: version, revision: revision)
    }

    @Test func `an item made by hand has its place, and the root has none`() {
        let file = item(2, "folder/file")
        #expect(file.name == "file" && file.path == "folder/file" && file.parentID == .root && file.size == 2)
        #expect(file != item(2, "folder/file", revision: 1))
        let root = Item(localID: .root, path: .root, version: ServerVersion(type: .directory))
        #expect(root.path == .root && root.name.isEmpty && root.parentID == nil)
    }

    @Test func `a change set made by hand is applied like a query's own`() {
        var shown = [item(2, "2"), item(3, "3"), item(4, "4"), item(5, "5")]
        let (renamed, new) = (item(5, "five", revision: 1), item(6, "6"))
        let changes = QueryChangeSet(
            removed: [0], inserted: [.init(item: new, index: 3)], moved: [.init(from: 3, to: 0)],
            updated: [.init(item: renamed, index: 0)])
        changes.apply(to: &shown)
        #expect(shown == [renamed, item(3, "3"), item(4, "4"), new])
    }
}
