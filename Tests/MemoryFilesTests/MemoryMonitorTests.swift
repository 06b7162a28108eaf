import FileProviding
import Foundation
import MemoryFiles
import Testing

@Suite struct MemoryMonitorTests {
    private let provider = MemoryFileProvider()

    @Test func changesComeInTheirOrder() async throws {
        let changes = try await provider.changes(path: .root, recursive: true)
        try await provider.createDirectory(path: "d")
        try await provider.writeContents(path: "d/a", contents: Data("1".utf8))
        try await provider.writeContents(path: "d/a", contents: Data("2".utf8), overwrite: true)
        try await provider.copyItem(path: "d/a", to: "b")
        try await provider.moveItem(path: "b", to: "c")
        try await provider.removeItem(path: "d")
        let expected: [FileChange] = [
            .created("d"), .created("d/a"), .modified("d/a"), .created("b"), .moved(from: "b", to: "c"), .removed("d"),
        ]
        var told: [FileChange] = []
        for try await change in changes {
            told.append(change)
            if told.count == expected.count { break }
        }
        #expect(told == expected)
    }

    @Test func movesAcrossTheWatchedBorderComeAndGo() async throws {
        for path in ["in/a", "out/b"] {
            try await provider.write(
                path: ItemPath(validating: path), from: ByteStream(Data()), options: .init(createsParents: true))
        }
        let changes = try await provider.changes(path: "in", recursive: false)
        try await provider.moveItem(path: "in/a", to: "out/a")
        try await provider.moveItem(path: "out/b", to: "in/b")
        var told = changes.makeAsyncIterator()
        #expect(try await told.next() == .removed("in/a"))
        #expect(try await told.next() == .created("in/b"))
    }

    @Test(arguments: [true, false])
    func theWatchedDirectoryGoes(isMoved: Bool) async throws {
        try await provider.write(path: "a/b/file", from: ByteStream(Data()), options: .init(createsParents: true))
        let changes = try await provider.changes(path: "a/b", recursive: true)
        if isMoved {
            try await provider.moveItem(path: "a", to: "c")
        } else {
            try await provider.removeItem(path: "a")
        }
        try await provider.write(path: "a/b/file", from: ByteStream(Data()), options: .init(createsParents: true))
        var told: [FileChange] = []
        for try await change in changes { told.append(change) }
        #expect(told == [.removed("a/b")])
    }

    @Test func attributesAreToldOfTheItemHoweverItWasNamed() async throws {
        try await provider.write(path: "d/a", from: ByteStream(Data()), options: .init(createsParents: true))
        try await provider.create(symbolicLink: "link", withDestinationPath: "d")
        let id = try #require(try await provider.attributesOfItem(path: "d/a").fileID)
        let changes = try await provider.changes(path: "d", recursive: false)
        for path in try ["link/a", ItemPath(validating: "id:\(id)")] as [ItemPath] {
            try await provider.setAttributes(ItemAttributes(permissions: 0o600), of: path)
        }
        try await provider.createDirectory(path: "d/last")
        var told: [FileChange] = []
        for try await change in changes {
            told.append(change)
            if change == .created("d/last") { break }
        }
        #expect(told == [.modified("d/a"), .modified("d/a"), .created("d/last")])
    }

    @Test func `what nobody pulls does not grow, and is looked at again`() async throws {
        let changes = try await provider.changes(path: .root, recursive: true)
        let paths = try (0...FileChangeSink.limit).map { try ItemPath(validating: "/d\($0)") }
        for path in paths { try await provider.createDirectory(path: path) }
        var told = changes.makeAsyncIterator()
        for path in paths.prefix(FileChangeSink.limit - 1) { #expect(try await told.next() == .created(path)) }
        #expect(try await told.next() == .rescan(.root))
        try await provider.createDirectory(path: "later")
        #expect(try await told.next() == .created("later"))
    }

    @Test func failedOperationsAreNotTold() async throws {
        let changes = try await provider.changes(path: .root, recursive: true)
        _ = try? await provider.moveItem(path: "missing", to: "x")
        _ = try? await provider.removeItem(path: "missing")
        try await provider.createDirectory(path: "last")
        var told = changes.makeAsyncIterator()
        #expect(try await told.next() == .created("last"))
    }
}
