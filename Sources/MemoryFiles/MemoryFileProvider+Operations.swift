import FileProviding
import Foundation

extension MemoryFileProvider: FileProviderSymbolicLink, FileProviderUndoable, TrashProvider {
    /// Performs an operation atomically: others see all of it or nothing.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try Task.checkCancellation()
        let options = context.options
        switch operation {
        case .create(let path):
            return try store.change { try $0.createDirectory(path, options: options, now: $1) }
        case .copy(let source, let destination):
            return try store.change { try $0.copy(source, to: destination, options: options, now: $1) }
        case .move(let source, let destination):
            return try store.change { try $0.move(source, to: destination, options: options, now: $1) }
        case .remove(let path):
            try store.change { try $0.remove(path, options: options, now: $1) }
            return nil
        case .link(let path, let target):
            return try store.change { try $0.createLink(path, target: target, options: options, now: $1) }
        case .modify, .fetch, .upload, .download:
            return try await defaultPerform(operation, in: context)
        }
    }

    /// Returns what a link points to.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> LinkTarget {
        let node = try store.read { try $0.find(path) }
        guard case .link(let target) = node.contents else {
            throw FileError.notALink(path)
        }
        return target
    }

    /// Returns `true` for everything except operations that read or write contents; a removal is undone through the
    /// trash.
    public func canUndo(_ operation: FileOperationType) -> Bool {
        switch operation {
        case .create, .copy, .move, .remove, .link: true
        case .modify, .fetch, .upload, .download: false
        }
    }

    /// Returns the items in the trash, newest first.
    public func trashedItems() async throws -> [TrashedItem] {
        store.read { $0.trash.map(\.item).reversed() }
    }

    /// Moves an item to the trash.
    public func trash(path: ItemPath) async throws -> TrashedItem {
        try store.change { try $0.moveToTrash(path, now: $1) }
    }

    /// Restores an item.
    public func restore(_ item: TrashedItem, to path: ItemPath?) async throws {
        try store.change { try $0.restore(item, to: path, now: $1) }
    }

    /// Permanently removes items from the trash.
    public func emptyTrash(_ item: TrashedItem?) async throws {
        try store.change { tree, _ in try tree.emptyTrash(item) }
    }
}
