import FileProviding
import Foundation
import MemoryFiles
import Testing

/// The callback forms of what not every provider can do: each answers as its async form does.
@Suite struct CallbackFormTests {
    private let provider = MemoryFileProvider()

    private func done(_ call: (@escaping SimpleCompletionHandler) -> Progress) async -> (any Error)? {
        await withCheckedContinuation { continuation in _ = call { continuation.resume(returning: $0) } }
    }

    private func value<Value: Sendable>(
        _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Progress
    ) async throws -> Value? {
        try await withCheckedThrowingContinuation { continuation in
            _ = call { value, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: value) }
            }
        }
    }

    @Test func directories() async throws {
        #expect(await done { provider.createDirectory(path: "d/b", completionHandler: $0) }?.isNoSuchFile == true)
        let error = await done { provider.createDirectory(path: "d/b", createsParents: true, completionHandler: $0) }
        #expect(error == nil)
        for name in ["c", "a", "b"] as [ItemPath] { try await provider.writeContents(path: name, contents: Data()) }
        let order = FileObjectSorting(.name, ascending: false)
        let files: [FileObject] = await withCheckedContinuation { continuation in
            _ = provider.contentsOfDirectory(path: "/", sortedBy: order) { files, _ in
                continuation.resume(returning: files)
            }
        }
        #expect(files.map(\.name) == ["d", "c", "b", "a"])
    }

    @Test func localFiles() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "callbacks-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (up, down) = (folder.appending(path: "up"), folder.appending(path: "down"))
        try Data("text".utf8).write(to: up)
        let (from, to) = try (#require(LocalPath(up)), #require(LocalPath(down)))
        #expect(await done { provider.copyItem(localFile: from, to: "f", completionHandler: $0) } == nil)
        #expect(await done { provider.copyItem(localFile: from, to: "f", completionHandler: $0) }?.isFileExists == true)
        #expect(await done { provider.copyItem(path: "f", toLocalFile: to, completionHandler: $0) } == nil)
        #expect(try Data(contentsOf: down) == Data("text".utf8))
    }

    @Test func attributesHashesAndMarks() async throws {
        try await provider.writeContents(path: "f", contents: Data("text".utf8))
        let attributes = ItemAttributes(modificationTime: FileTime(seconds: 1))
        let file = try await value { provider.setAttributes(attributes, of: "f", completionHandler: $0) }
        #expect(file?.modificationTime?.seconds == 1)
        let sum = try await value { provider.checksum(path: "f", algorithm: .sha256, completionHandler: $0) }
        #expect(try await sum == provider.checksum(path: "f", algorithm: .sha256) && sum != nil)
        let token = try await value { provider.changeToken(path: "/", completionHandler: $0) }
        #expect(try await token == provider.changeToken(path: "/"))
    }

    @Test func trashAndUndoing() async throws {
        try await provider.writeContents(path: "f", contents: Data("text".utf8))
        let trashed = try await #require(value { provider.trash(path: "f", completionHandler: $0) })
        #expect(try await value { provider.trashedItems(completionHandler: $0) }?.map(\.id) == [trashed.id])
        #expect(await done { provider.restore(trashed, to: "g", completionHandler: $0) } == nil)
        _ = try await value { provider.trashItem(path: "g", completionHandler: $0) }
        #expect(await done { provider.undo(completionHandler: $0) } == nil)
        #expect(try await provider.itemExists(path: "g"))
        #expect(await done { provider.redo(completionHandler: $0) } == nil)
        #expect(try await !provider.itemExists(path: "g"))
        #expect(await done { provider.emptyTrash(nil, completionHandler: $0) } == nil)
        #expect(try await provider.trashedItems().isEmpty)
    }
}
