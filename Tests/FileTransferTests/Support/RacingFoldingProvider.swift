import FileProviders
import Foundation

/// Memory that keeps names as they are given and does not tell them apart by case, normalization or dots at the end.
struct RacingFoldingProvider: FileProvider {
    static let type = MemoryFileProvider.type

    let base = MemoryFileProvider()
    /// Whether a file's name is looked up only when its write begins, as servers do that first look and then rename:
    /// what has come to that name meanwhile is replaced.
    var looksFirst = false
    /// The last change.
    private let last = Locked<Task<Void, Never>?>(nil)

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> RacingFoldingProvider { self }
    func checkReachable() async throws {}

    /// The path with the names that are there already.
    private func known(_ path: ItemPath) async -> ItemPath {
        var known = ItemPath.root
        for name in path.components {
            let items = (try? await base.contentsOfDirectory(path: known)) ?? []
            let item = items.first { Self.folded($0.itemName) == Self.folded(name) }
            known = known.appending(item?.itemName ?? name)
        }
        return known
    }

    private static func folded(_ name: ItemName) -> String {
        var text = name.text.lowercased()
        while text.last == "." { text.removeLast() }
        return text
    }

    /// Makes one change after another, so that no two find the same name free.
    private func inTurn<Result: Sendable>(
        _ change: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = last.withLock { last in
            let task = Task { [last] in
                await last?.value
                return try await change()
            }
            last = Task { _ = try? await task.value }
            return task
        }
        return try await task.value
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await base.attributesOfItem(path: known(path))
    }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing(page: { try await base.contentsOfDirectory(path: known(path)) })
    }

    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: known(path), range: range, in: context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        guard looksFirst else {
            return try await inTurn { try await base.write(path: known(path), from: source, in: context) }
        }
        if !context.options.overwrite, (try? await attributesOfItem(path: path)) != nil {
            throw CocoaError(.fileWriteFileExists)
        }
        try await Task.sleep(for: .milliseconds(50))
        var late = context
        late.options.overwrite = true
        return try await base.write(path: known(path), from: source, in: late)
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        switch operation {
        case .create(let path): try await inTurn { try await base.perform(.create(known(path)), in: context) }
        case .remove(let path): try await inTurn { try await base.perform(.remove(known(path)), in: context) }
        default: try await defaultPerform(operation, in: context)
        }
    }
}
