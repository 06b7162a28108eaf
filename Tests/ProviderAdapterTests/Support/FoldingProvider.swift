import FileProviders

/// A storage that takes names which differ only in case for one, and keeps the case in which each was given first or
/// last renamed to, as those of other systems do.
final class FoldingProvider: FileProvider {
    static let type = "Folding"

    private let base: MemoryFileProvider
    /// Whether a name is looked up only when a write begins, as servers do that look and then rename: what has come to
    /// it meanwhile is replaced.
    private let looksFirst: Bool

    init(_ base: MemoryFileProvider = MemoryFileProvider(), looksFirst: Bool = false) {
        (self.base, self.looksFirst) = (base, looksFirst)
    }

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> FoldingProvider { FoldingProvider(base.copy(), looksFirst: looksFirst) }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await base.attributesOfItem(path: present(path))
    }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            let isDone = Locked(false)
            return { [self] in
                let wasDone = isDone.withLock { done in
                    defer { done = true }
                    return done
                }
                return wasDone ? nil : try await base.listing(path: present(path)).collect()
            }
        }
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        switch operation {
        case .create(let path): return try await base.perform(.create(present(path)), in: context)
        case .remove(let path): return try await base.perform(.remove(present(path)), in: context)
        case .copy(let source, let path):
            return try await base.perform(.copy(source: present(source), destination: present(path)), in: context)
        case .move(let source, let path):
            let (from, there) = (try await present(source), try await present(path))
            // The item itself is not in the way of its new name.
            let target = from == there ? try await present(path.parent ?? .root).appending(path.lastComponent!) : there
            return try await base.perform(.move(source: from, destination: target), in: context)
        default: return try await base.perform(operation, in: context)
        }
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: present(path), range: range, in: context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        guard looksFirst else { return try await base.write(path: present(path), from: source, in: context) }
        if !context.options.overwrite, (try? await attributesOfItem(path: path)) != nil { throw FileError.exists(path) }
        try await Task.sleep(for: .milliseconds(50))
        var late = context
        late.options.overwrite = true
        return try await base.write(path: present(path), from: source, in: late)
    }

    /// The path with the names as they are here.
    private func present(_ path: ItemPath) async throws -> ItemPath {
        var found = ItemPath.root
        for name in path.components {
            let entries = (try? await base.listing(path: found).collect()) ?? []
            let same =
                entries.first { $0.itemName == name }
                ?? entries.first { $0.name.lowercased() == name.text.lowercased() }
            found = found.appending(same?.itemName ?? name)
        }
        return found
    }
}
