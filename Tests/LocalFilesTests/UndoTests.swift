import FileProviding
import Foundation
import LocalFiles
import Testing

@Suite struct UndoTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test func everythingBackAndAgain() async throws {
        try scratch.put("text", at: "file")
        try await provider.createDirectory(path: "folder")
        try await provider.copyItem(path: "file", to: "folder/copy")
        try await provider.moveItem(path: "file", to: "moved")
        try await provider.create(symbolicLink: "link", withDestinationPath: "moved")
        try await provider.trashItem(path: "folder")
        #expect(try scratch.names() == ["link", "moved"])
        for _ in 0..<5 { try await provider.undo() }
        #expect(try scratch.names() == ["file"])
        try await provider.undo()
        for _ in 0..<5 { try await provider.redo() }
        #expect(try scratch.names() == ["link", "moved"])
        #expect(try await provider.trashedItems().map(\.originalPath) == ["folder"])
    }

    @Test func whatCan() {
        #expect(provider.canUndo(.create("a")) && provider.canUndo(.remove("a")))
        #expect(!provider.canUndo(.modify("a")) && !provider.canUndo(.upload(LocalPath("/a"), to: "a")))
    }
}
