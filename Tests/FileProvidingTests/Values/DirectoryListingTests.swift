import FileProviding
import Foundation
import Testing

@Suite struct DirectoryListingTests {
    struct Failure: Error {}

    @Test func onePageComesOnce() async throws {
        let listing = DirectoryListing(page: { [Self.file("a"), Self.file("b")] })
        for _ in 0..<2 { #expect(try await listing.collect().map(\.name) == ["a", "b"]) }
    }

    @Test func pagesFollowTheirTokens() async throws {
        let listing = DirectoryListing.paginated { token in
            switch token {
            case nil: ([Self.file("a")], "1")
            case "1": ([Self.file("b")], "2")
            default: ([Self.file("c")], nil)
            }
        }
        #expect(try await names(listing) == [["a"], ["b"], ["c"]])
    }

    @Test func anEmptyPageWithATokenGoesOn() async throws {
        let listing = DirectoryListing.paginated { token in
            token == nil ? ([], "1") : ([Self.file("a")], nil)
        }
        #expect(try await listing.collect().map(\.name) == ["a"])
    }

    @Test func aFailingPageComesAfterThePagesBefore() async throws {
        let listing = DirectoryListing.paginated { token in
            if token != nil { throw Failure() }
            return ([Self.file("a")], "1")
        }
        var received: [String] = []
        await #expect(throws: Failure.self) {
            for try await page in listing { received += page.map(\.name) }
        }
        #expect(received == ["a"])
    }

    @Test(arguments: [["1", "1"], ["1", "2", "1"], ["1", "2", "3", "2"]])
    func aRepeatedTokenEndsWithAnErrorBehindEverythingThatCame(tokens: [String]) async throws {
        let fetched = Locked(0)
        let listing = DirectoryListing.paginated { _ in
            let number = fetched.withLock { count in
                defer { count += 1 }
                return count
            }
            return ([Self.file("page \(number)")], tokens[min(number, tokens.count - 1)])
        }
        var received: [String] = []
        let error = await #expect(throws: CocoaError.self) {
            for try await page in listing { received += page.map(\.name) }
        }
        #expect(error?.code == .fileReadCorruptFile)
        #expect(received == (0..<tokens.count).map { "page \($0)" })
        #expect(fetched.withLock { $0 } == tokens.count)
    }

    @Test func nothingIsFetchedBeforeItIsPulled() async throws {
        let fetched = Locked(0)
        let listing = DirectoryListing.paginated { _ in
            let number = fetched.withLock { count in
                count += 1
                return count
            }
            return ([Self.file("a")], "\(number)")
        }
        var pages = listing.makeAsyncIterator()
        #expect(fetched.withLock { $0 } == 0)
        _ = try await pages.next()
        #expect(fetched.withLock { $0 } == 1)
    }

    @Test func aCancelledTaskPullsNoPage() async throws {
        let listing = DirectoryListing(page: { [Self.file("a")] })
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await listing.collect()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func entriesGoThroughAllPages() async throws {
        let listing = DirectoryListing.paginated { token in
            token == nil ? ([Self.file("a"), Self.file("b")], "1") : ([Self.file("c")], nil)
        }
        var received: [String] = []
        for try await file in listing.entries { received.append(file.name) }
        #expect(received == ["a", "b", "c"])
    }

    @Test func filteringKeepsThePages() async throws {
        let listing = DirectoryListing.paginated { token in
            token == nil ? ([Self.file("a"), Self.file("b")], "1") : ([Self.file("a")], nil)
        }
        #expect(try await names(listing.filter { $0.name == "a" }) == [["a"], ["a"]])
    }

    private func names(_ listing: DirectoryListing) async throws -> [[String]] {
        var pages: [[String]] = []
        for try await page in listing { pages.append(page.map(\.name)) }
        return pages
    }

    private static func file(_ name: String) -> FileObject {
        FileObject(path: ItemPath.root.appending(ItemName(unchecked: Array(name.utf8))), type: .regular)
    }
}
