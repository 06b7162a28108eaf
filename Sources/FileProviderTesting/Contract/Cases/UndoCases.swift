import FileProviding
import Foundation

/// Undo and the trash.
enum UndoCases {
    static let all = undoing + trash

    private static let needs: [ContractCapability] = [.undoing, .reading, .writing]

    private static let undoing = [
        ContractCase(.undo, "creating a directory is undone and redone", needs: needs) { trial in
            try await trial.operations.createDirectory(path: trial.path("d"))
            try await undoable(trial).undo()
            try await trial.expectEntries(of: trial.directory, are: [])
            try await undoable(trial).redo()
            try await trial.expectEntries(of: trial.directory, are: ["d"])
        },
        ContractCase(.undo, "creating a directory that is in use is not undone", needs: needs) { trial in
            try await trial.operations.createDirectory(path: trial.path("d"))
            try await trial.arrange(file: trial.path("d/file"), Data("kept".utf8))
            try await expectError(.any) { try await undoable(trial).undo() }
            try await trial.expectFile(trial.path("d/file"), holds: Data("kept".utf8))
        },
        ContractCase(.undo, "creating a directory that was there already is not undone", needs: needs) { trial in
            try await trial.arrange(directory: trial.path("d"))
            let other = try await trial.anotherProvider(as: (any FileProviderUndoable).self)
            try await other.createDirectory(path: trial.path("d"))
            _ = try? await other.undo()
            try await trial.expectEntries(of: trial.directory, are: ["d"])
        },
        ContractCase(.undo, "a copy is undone and redone", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"), Data("f".utf8))
            try await trial.operations.copyItem(path: trial.path("file"), to: trial.path("copy"))
            try await undoable(trial).undo()
            try await trial.expectEntries(of: trial.directory, are: ["file"])
            try await undoable(trial).redo()
            try await trial.expectFile(trial.path("copy"), holds: Data("f".utf8))
            try await undoable(trial).undo()
            try await trial.expectEntries(of: trial.directory, are: ["file"])
        },
        ContractCase(.undo, "a copy that was changed since is not undone", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"))
            try await trial.operations.copyItem(path: trial.path("file"), to: trial.path("copy"))
            try await trial.write(trial.path("copy"), Data("changed since".utf8), overwrite: true)
            try await expectError(.changed) { try await undoable(trial).undo() }
            try await trial.expectFile(trial.path("copy"), holds: Data("changed since".utf8))
        },
        ContractCase(.undo, "a move is undone and redone", needs: needs) { trial in
            try await trial.arrange(file: trial.path("file"), Data("f".utf8))
            try await trial.operations.moveItem(path: trial.path("file"), to: trial.path("moved"))
            try await undoable(trial).undo()
            try await trial.expectFile(trial.path("file"), holds: Data("f".utf8))
            try await trial.expectEntries(of: trial.directory, are: ["file"])
            try await undoable(trial).redo()
            try await trial.expectEntries(of: trial.directory, are: ["moved"])
        },
        ContractCase(.undo, "a move is not undone over what came to its old place, and may be later", needs: needs) {
            trial in
            try await trial.arrange(file: trial.path("file"), Data("f".utf8))
            try await trial.operations.moveItem(path: trial.path("file"), to: trial.path("moved"))
            let other = try await trial.anotherProvider(as: (any FileProvider).self)
            try await other.write(path: trial.path("file"), from: ByteStream(Data("newcomer".utf8)))
            try await expectError(.exists) { try await undoable(trial).undo() }
            try await trial.expectFile(trial.path("file"), holds: Data("newcomer".utf8))
            try await other.removeItem(path: trial.path("file"))
            try await undoable(trial).undo()
            try await trial.expectFile(trial.path("file"), holds: Data("f".utf8))
        },
        ContractCase(.undo, "a link is undone and redone", needs: needs + [.symbolicLinks]) { trial in
            let links = try trial.provider(as: (any FileProviderSymbolicLink).self)
            try await links.create(symbolicLink: trial.path("link"), withDestinationPath: "nothing")
            try await undoable(trial).undo()
            try await trial.expectEntries(of: trial.directory, are: [])
            try await undoable(trial).redo()
            try expectEqual(try await links.destination(ofSymbolicLink: trial.path("link")), "nothing", "target")
        },
        ContractCase(.undo, "several operations are undone last first", needs: needs) { trial in
            try await trial.operations.createDirectory(path: trial.path("a"))
            try await trial.operations.moveItem(path: trial.path("a"), to: trial.path("b"))
            try await trial.operations.moveItem(path: trial.path("b"), to: trial.path("c"))
            for expected in [["b"], ["a"], []] {
                try await undoable(trial).undo()
                try await trial.expectEntries(of: trial.directory, are: expected)
            }
            try await undoable(trial).undo()
        },
        ContractCase(.undo, "what replaced a file cannot be undone, and is not", needs: needs) { trial in
            try await trial.arrange(file: trial.path("a"), Data("a".utf8))
            try await trial.arrange(file: trial.path("b"), Data("b".utf8))
            try await trial.operations.moveItem(path: trial.path("a"), to: trial.path("b"), overwrite: true)
            try expectEqual(try undoable(trial).undoHistory.undoOperation, nil, "what can be undone")
            try await undoable(trial).undo()
            try await trial.expectFile(trial.path("b"), holds: Data("a".utf8))
        },
        ContractCase(.undo, "removing can be undone only where there is a trash", needs: needs) { trial in
            let hasTrash = trial.expectations.has.contains(.trash)
            try expectEqual(try undoable(trial).canUndo(.remove(trial.path("x"))), hasTrash, "whether it can be undone")
            try await trial.arrange(file: trial.path("file"))
            try await trial.operations.removeItem(path: trial.path("file"))
            try await undoable(trial).undo()
            try await trial.expectEntries(of: trial.directory, are: [])
        },
        ContractCase(.undo, "what was put into the trash comes back, and goes again", needs: needs + [.trash]) {
            trial in
            try await trial.arrange(file: trial.path("d/file"), Data("back".utf8))
            try await trash(trial).trashItem(path: trial.path("d"))
            try await trial.expectEntries(of: trial.directory, are: [])
            try await undoable(trial).undo()
            try await trial.expectFile(trial.path("d/file"), holds: Data("back".utf8))
            try await undoable(trial).redo()
            try await trial.expectEntries(of: trial.directory, are: [])
            try await undoable(trial).undo()
            try await trial.expectFile(trial.path("d/file"), holds: Data("back".utf8))
        },
    ]

    private static let trash = [
        ContractCase(.undo, "the trash lists what was put into it, and puts it back", needs: [.trash, .reading]) {
            trial in
            let provider = try trial.provider(as: (any TrashProvider).self)
            try await trial.arrange(file: trial.path("d/file"), Data("back".utf8))
            let item = try await provider.trash(path: trial.path("d/file"))
            try expectEqual(item.originalPath, trial.path("d/file"), "the original path")
            try await trial.expectMissing(trial.path("d/file"))
            try expect(try await provider.trashedItems().contains { $0.id == item.id }, "it is not listed")
            try await provider.restore(item, to: nil)
            try await trial.expectFile(trial.path("d/file"), holds: Data("back".utf8))
            try expect(try await !provider.trashedItems().contains { $0.id == item.id }, "it is still listed")
        },
        ContractCase(.undo, "a trashed item comes back elsewhere, but over nothing", needs: [.trash, .reading]) {
            trial in
            let provider = try trial.provider(as: (any TrashProvider).self)
            try await trial.arrange(file: trial.path("file"), Data("back".utf8))
            let item = try await provider.trash(path: trial.path("file"))
            try await trial.arrange(file: trial.path("file"), Data("newcomer".utf8))
            try await expectError(.exists) { try await provider.restore(item, to: nil) }
            try await trial.expectFile(trial.path("file"), holds: Data("newcomer".utf8))
            try await provider.restore(item, to: trial.path("elsewhere"))
            try await trial.expectFile(trial.path("elsewhere"), holds: Data("back".utf8))
        },
        ContractCase(.undo, "two items of one name are two in the trash", needs: [.trash, .reading]) { trial in
            let provider = try trial.provider(as: (any TrashProvider).self)
            var items: [TrashedItem] = []
            for text in ["first", "second"] {
                try await trial.arrange(file: trial.path("file"), Data(text.utf8))
                items.append(try await provider.trash(path: trial.path("file")))
            }
            try await provider.restore(items[0], to: nil)
            try await trial.expectFile(trial.path("file"), holds: Data("first".utf8))
            try await provider.emptyTrash(items[1])
            try expect(try await !provider.trashedItems().contains { $0.id == items[1].id }, "it is still listed")
            try await expectError(.noSuchFile) { try await provider.restore(items[1], to: trial.path("gone")) }
        },
        ContractCase(.undo, "what is not there cannot be put into the trash", needs: [.trash]) { trial in
            let provider = try trial.provider(as: (any TrashProvider).self)
            try await expectError(.noSuchFile) { try await provider.trash(path: trial.path("missing")) }
        },
    ]

    private static func undoable(_ trial: ContractTrial) throws -> any FileProviderUndoable {
        try trial.provider(as: (any FileProviderUndoable).self)
    }

    private static func trash(_ trial: ContractTrial) throws -> any FileProviderUndoable & TrashProvider {
        try trial.provider(as: (any FileProviderUndoable & TrashProvider).self)
    }
}
