/// The operations done through a provider that can be undone, newest last. Bounded; safe to use from any thread.
public final class UndoHistory: Sendable {
    private struct Step: Sendable {
        var operation: FileOperationType
        /// What was at the destination of a copy when the copy had been made; of directories, only that they existed.
        /// `nil` where that is not known, or is too much.
        var copied: [ItemPath: FileVersion]?
        /// The trashed item that a removal produced.
        var trashed: TrashedItem?
    }

    private struct State {
        var undoable: [Step] = []
        var redoable: [Step] = []
        var isReplaying = false
    }

    /// The history whose step the current task replays: the operations of the replay are no new ones.
    @TaskLocal private static var replaying: ObjectIdentifier?

    private let state = Locked(State())
    private let limit: Int

    /// Creates an empty history that keeps the last `limit` operations.
    public init(limit: Int = 100) { self.limit = limit }

    /// The operation that undo would reverse.
    public var undoOperation: FileOperationType? { state.withLock { $0.undoable.last?.operation } }
    /// The operation that redo would repeat.
    public var redoOperation: FileOperationType? { state.withLock { $0.redoable.last?.operation } }

    /// Removes the operation that undo would reverse, such as one that can no longer be undone, so that the one before
    /// it is next.
    public func removeUndoOperation() { state.withLock { _ = $0.undoable.popLast() } }

    /// Removes all operations from the history.
    public func removeAll() {
        state.withLock { ($0.undoable, $0.redoable) = ([], []) }
    }

    func record(_ operation: FileOperationType, on provider: any FileProviderUndoable, trashed: TrashedItem? = nil)
        async
    {
        guard provider.canUndo(operation), Self.replaying != ObjectIdentifier(self) else { return }
        if case .remove = operation, trashed == nil { return }
        let step = Step(
            operation: operation, copied: await Self.copied(operation, on: provider), trashed: trashed)
        state.withLock { state in
            state.redoable.removeAll()
            state.undoable.append(step)
            if state.undoable.count > limit { state.undoable.removeFirst() }
        }
    }

    func undo(on provider: any FileProviderUndoable) async throws {
        try await replay(from: \.undoable, to: \.redoable) { step in
            switch step.operation {
            case .create(let path):
                let isEmpty = try await provider.listing(path: path).entries.first { _ in true } == nil
                guard isEmpty else {
                    throw cocoaError(path, code: .fileWriteFileExists, reason: "it is no longer empty")
                }
                try await provider.removeItem(path: path)
            case .copy(_, let destination):
                guard let copied = step.copied, try await Self.isAll(copied, at: destination, on: provider) else {
                    throw FileError.changed(destination)
                }
                try await provider.removeItem(path: destination)
            case .move(let source, let destination): try await provider.moveItem(path: destination, to: source)
            case .link(let path, let target):
                let link = try await provider.attributesOfItem(path: path)
                guard link.isSymLink, link.linkTarget ?? target == target else { throw FileError.changed(path) }
                try await provider.removeItem(path: path)
            case .remove:
                guard let item = step.trashed, let trash = provider as? any TrashProvider else { break }
                try await trash.restore(item, to: nil)
            case .modify, .fetch, .upload, .download: break
            }
            return step
        }
    }

    func redo(on provider: any FileProviderUndoable) async throws {
        try await replay(from: \.redoable, to: \.undoable) { step in
            var step = step
            if case .remove(let path) = step.operation, let trash = provider as? any TrashProvider {
                step.trashed = try await trash.trash(path: path)
            } else {
                try await provider.run(step.operation)
                step.copied = await Self.copied(step.operation, on: provider)
            }
            return step
        }
    }

    /// The most items that are remembered per copy.
    private static let mostCopied = 10_000

    private static func copied(
        _ operation: FileOperationType, on provider: any FileProviderUndoable
    ) async -> [ItemPath: FileVersion]? {
        guard case .copy(_, let destination) = operation else { return nil }
        return try? await items(at: destination, on: provider, atMost: mostCopied)
    }

    /// Returns an item and everything below it; `nil` for more than `limit` items.
    private static func items(
        at path: ItemPath, on provider: any FileProviderUndoable, atMost limit: Int
    ) async throws -> [ItemPath: FileVersion]? {
        let top = try await provider.attributesOfItem(path: path)
        guard top.isDirectory else { return [path.asItem: top.version] }
        var items = [path.asItem: FileVersion()]
        for try await page in provider.recursiveListing(path: path.asDirectory) {
            for item in page { items[item.path] = item.isDirectory ? FileVersion() : item.version }
            if items.count > limit { return nil }
        }
        return items
    }

    /// Returns whether exactly what was copied is there, unchanged.
    private static func isAll(
        _ copied: [ItemPath: FileVersion], at path: ItemPath, on provider: any FileProviderUndoable
    ) async throws -> Bool {
        guard let present = try await items(at: path, on: provider, atMost: copied.count),
            present.count == copied.count
        else { return false }
        return copied.allSatisfy { path, version in present[path].map { version.agrees(with: $0) } ?? false }
    }

    private func replay(
        from source: WritableKeyPath<State, [Step]> & Sendable, to target: WritableKeyPath<State, [Step]> & Sendable,
        _ work: (Step) async throws -> Step
    ) async throws {
        let next: Step? = state.withLock { state in
            guard !state.isReplaying, let step = state[keyPath: source].popLast() else { return nil }
            state.isReplaying = true
            return step
        }
        guard let next else { return }
        do {
            let done = try await Self.$replaying.withValue(ObjectIdentifier(self)) { try await work(next) }
            state.withLock { state in
                state[keyPath: target].append(done)
                state.isReplaying = false
            }
        } catch {
            state.withLock { state in
                state[keyPath: source].append(next)
                state.isReplaying = false
            }
            throw error
        }
    }
}

extension FileProviderUndoable {
    /// Returns whether the operation would change anything: creating a directory that exists does not, and undoing it
    /// would remove what someone else made.
    func changesAnything(_ operation: FileOperationType) async -> Bool {
        guard case .create(let path) = operation else { return true }
        return (try? await itemExists(path: path)) == false
    }
}
