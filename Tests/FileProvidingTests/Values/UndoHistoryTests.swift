import FileProviding
import Foundation
import MemoryFiles
import Testing

@Suite struct UndoHistoryTests {
    private let provider = MemoryFileProvider()
    private var history: UndoHistory { provider.undoHistory }

    @Test func remembersWhatCanBeTakenBack() async throws {
        try await provider.createDirectory(path: "a")
        #expect(history.undoOperation == .create("a") && history.redoOperation == nil)
        try await provider.undo()
        #expect(history.undoOperation == nil && history.redoOperation == .create("a"))
        try await provider.redo()
        #expect(history.undoOperation == .create("a") && history.redoOperation == nil)
    }

    @Test func somethingNewEndsWhatCouldBeRedone() async throws {
        try await provider.createDirectory(path: "a")
        try await provider.undo()
        try await provider.createDirectory(path: "b")
        #expect(history.redoOperation == nil && history.undoOperation == .create("b"))
    }

    @Test func `a copy that was moved and moved back is still what was copied`() async throws {
        try await provider.writeContents(path: "f", contents: Data("text".utf8))
        try await provider.copyItem(path: "f", to: "g")
        try await provider.moveItem(path: "g", to: "h")
        try await provider.undo()
        try await provider.undo()
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["f"])
    }

    @Test func `what can no longer be undone is given up`() async throws {
        try await provider.createDirectory(path: "a")
        try await provider.createDirectory(path: "b")
        try await provider.writeContents(path: "b/file", contents: Data())
        await #expect { try await provider.undo() } throws: { $0.isFileExists }
        history.removeUndoOperation()
        try await provider.undo()
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["b"])
    }

    /// As by another task of an app, while a slow server takes something back.
    @Test func whatIsDoneMeanwhileIsRemembered() async throws {
        final class Meanwhile: FileOperationDelegate {
            func fileProvider(
                _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
            ) async -> Bool {
                guard case .remove = operation else { return true }
                await Task.detached { _ = try? await fileProvider.createDirectory(path: "other") }.value
                return true
            }
        }
        let delegate = Meanwhile()
        try await provider.createDirectory(path: "a")
        provider.context.fileOperationDelegate = delegate
        try await provider.undo()
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["other"])
        #expect(history.undoOperation == .create("other"))
    }

    @Test func writingIsNotRemembered() async throws {
        try await provider.writeContents(path: "a", contents: Data("a".utf8))
        #expect(history.undoOperation == nil)
    }

    @Test func failuresAndRemovalsAreNotRemembered() async throws {
        try await provider.createDirectory(path: "a")
        await #expect(throws: CocoaError.self) { try await provider.moveItem(path: "missing", to: "b") }
        #expect(history.undoOperation == .create("a"))
        try await provider.removeItem(path: "a")
        #expect(history.undoOperation == .create("a"))
    }

    @Test func nothingToUndoIsNoError() async throws {
        try await provider.undo()
        try await provider.redo()
    }

    @Test func whatWasThereBeforeIsNotTakenAway() async throws {
        try await provider.createDirectory(path: "a")
        history.removeAll()
        try await provider.createDirectory(path: "a")
        try await provider.undo()
        #expect(try await provider.itemExists(path: "a"))
    }

    @Test func aRedoneCopyCanBeUndoneAgain() async throws {
        try await provider.writeContents(path: "a", contents: Data("a".utf8))
        try await provider.copyItem(path: "a", to: "b")
        for _ in 0..<3 {
            try await provider.undo()
            #expect(try await !provider.itemExists(path: "b"))
            try await provider.redo()
            #expect(try await provider.itemExists(path: "b"))
        }
    }

    @Test func aFailedUndoCanBeTriedAgain() async throws {
        try await provider.createDirectory(path: "a")
        try await provider.moveItem(path: "a", to: "b")
        let other = provider.copy()
        try await other.writeContents(path: "a", contents: Data())
        await #expect(throws: CocoaError.self) { try await provider.undo() }
        #expect(history.undoOperation == .move(source: "a", destination: "b") && history.redoOperation == nil)
        try await other.removeItem(path: "a")
        try await provider.undo()
        #expect(try await provider.itemExists(path: "a"))
    }

    @Test func trashedItemsComeBack() async throws {
        try await provider.writeContents(path: "a", contents: Data("a".utf8))
        try await provider.trashItem(path: "a")
        #expect(history.undoOperation == .remove("a"))
        try await provider.undo()
        #expect(try await provider.contents(path: "a") == Data("a".utf8))
    }

    @Test func forgetsTheOldestBeyondItsLimit() async throws {
        for index in 0..<101 { try await provider.createDirectory(path: ItemPath(validating: "d\(index)")) }
        for _ in 0..<101 { try await provider.undo() }
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["d0"])
    }

    @Test func aCopyOfAFolderThatHoldsMoreByNowStays() async throws {
        try await provider.createDirectory(path: "a/sub", createsParents: true)
        try await provider.writeContents(path: "a/sub/old", contents: Data("old".utf8))
        try await provider.copyItem(path: "a", to: "b")
        let other = provider.copy()
        try await other.writeContents(path: "b/sub/new", contents: Data("new".utf8))
        await #expect(throws: CocoaError.self) { try await provider.undo() }
        #expect(try await provider.contents(path: "b/sub/new") == Data("new".utf8))
        try await other.removeItem(path: "b/sub/new")
        try await provider.undo()
        #expect(try await !provider.itemExists(path: "b"))
        try await provider.redo()
        try await other.writeContents(path: "b/sub/old", contents: Data("edited".utf8), overwrite: true)
        await #expect(throws: CocoaError.self) { try await provider.undo() }
        #expect(try await provider.contents(path: "b/sub/old") == Data("edited".utf8))
    }

    @Test func whatHasTakenALinksPlaceStays() async throws {
        try await provider.create(symbolicLink: "link", withDestinationPath: LinkTarget(bytes: Array("target".utf8)))
        let other = provider.copy()
        try await other.removeItem(path: "link")
        try await other.createDirectory(path: "link")
        try await other.writeContents(path: "link/file", contents: Data())
        await #expect(throws: CocoaError.self) { try await provider.undo() }
        #expect(try await provider.itemExists(path: "link/file"))
    }
}
