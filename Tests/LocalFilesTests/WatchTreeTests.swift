import FileProviding
import Testing

@testable import LocalFiles

@Suite struct WatchTreeTests {
    private func name(_ text: String) throws -> ItemName { try ItemName(validating: text) }

    private func tree() throws -> WatchTree {
        var tree = WatchTree(top: 1, path: "base")
        tree.place(2, as: try name("a"), in: 1)
        tree.place(3, as: try name("b"), in: 2)
        tree.place(4, as: try name("c"), in: 3)
        return tree
    }

    @Test func paths() throws {
        let tree = try tree()
        #expect(tree.path(of: 1) == "base")
        #expect(tree.path(of: 4) == "base/a/b/c")
        #expect(tree.path(of: 99) == nil)
        #expect(tree.child(try name("b"), of: 2) == 3)
    }

    @Test func movedWithEverythingBelow() throws {
        var tree = try tree()
        tree.place(3, as: try name("moved"), in: 1)
        #expect(tree.path(of: 4) == "base/moved/c")
        #expect(tree.child(try name("b"), of: 2) == nil)
        #expect(tree.child(try name("moved"), of: 1) == 3)
    }

    /// A mount shows a directory within itself, or below the top the top: both have one watch.
    @Test func noDirectoryIsPlacedWithinItself() throws {
        var tree = try tree()
        #expect(!tree.place(2, as: try name("again"), in: 4))
        #expect(!tree.place(4, as: try name("again"), in: 4))
        #expect(!tree.place(1, as: try name("again"), in: 4))
        #expect(tree.path(of: 4) == "base/a/b/c")
    }

    @Test func removedWithEverythingBelow() throws {
        var tree = try tree()
        #expect(Set(tree.remove(2)) == [2, 3, 4])
        #expect(tree.path(of: 4) == nil)
        #expect(tree.child(try name("a"), of: 1) == nil)
    }

    @Test func anotherDirectoryInThePlaceOfOneThatWent() throws {
        var tree = try tree()
        tree.place(7, as: try name("b"), in: 2)
        _ = tree.remove(3)
        #expect(tree.child(try name("b"), of: 2) == 7)
        #expect(tree.path(of: 7) == "base/a/b")
    }
}
