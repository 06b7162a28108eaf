import FileProviding
import MemoryFiles
import Testing

/// The recursive listing of providers that have none of their own.
@Suite struct RecursiveListingTests {
    /// A tree of which `/a` is answered only once `/b` has been asked for, and `/a/a` once `/c/a` has.
    private struct Tree: FileProviderBasic {
        static let type = "tree"

        private let base = MemoryFileProvider()
        private let asked = Locked<Set<ItemPath>>([])

        var identity: ProviderIdentity { base.identity }
        var context: FileProviderContext { base.context }
        func copy() -> Tree { self }
        func checkReachable() async throws {}
        func attributesOfItem(path: ItemPath) async throws -> FileObject { throw FileError.noSuchFile(path) }

        func listing(path: ItemPath) -> DirectoryListing {
            DirectoryListing(page: {
                asked.withLock { _ = $0.insert(path) }
                let awaited: [ItemPath: ItemPath] = ["a": "b", "a/a": "c/a"]
                while let other = awaited[path], !asked.withLock({ $0.contains(other) }) {
                    try await Task.sleep(for: .milliseconds(5))
                }
                if path == "b" { throw FileError.noSuchFile(path) }
                guard path.isRoot || path == "a" || path == "c" else { return [] }
                let names: [ItemPath] = ["a", "b", "c"]
                return names.map { FileObject(path: path.appending($0), type: .directory) }
            })
        }
    }

    @Test(.timeLimit(.minutes(5))) func theNextDirectoriesAreFetchedAheadAndComeInOrder() async throws {
        let listing = Tree().recursiveListing(path: .root)
        var pages = listing.makeAsyncIterator()
        var found: [ItemPath] = []
        var failures = 0
        while true {
            do {
                guard let page = try await pages.next() else { break }
                found += page.map(\.path)
            } catch  where error.isNoSuchFile { failures += 1 }
        }
        #expect(found == ["a", "b", "c", "a/a", "a/b", "a/c", "c/a", "c/b", "c/c"] as [ItemPath])
        #expect(failures == 1)
    }
}
