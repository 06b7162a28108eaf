import FileProviders
import Foundation

/// A storage that cannot be asked anything any more once it has made, moved or copied something, until it may be again.
final class BlindProvider: FileProvider {
    static let type = "Blind"

    let base = MemoryFileProvider()
    private let isBlind = Locked(false)
    private let blindness: any Error

    /// - Parameter blindness: what comes of asking then.
    init(_ blindness: any Error) { self.blindness = blindness }

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> BlindProvider { self }

    /// Lets it be asked again.
    func recover() { isBlind.withLock { $0 = false } }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        if isBlind.withLock({ $0 }) { throw blindness }
        return try await base.attributesOfItem(path: path)
    }

    func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        let result = try await base.perform(operation, in: context)
        if case .remove = operation { return result }
        isBlind.withLock { $0 = true }
        return result
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: path, range: range, in: context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        let written = try await base.write(path: path, from: source, in: context)
        isBlind.withLock { $0 = true }
        // What a reply to contents tells of them, as from most servers.
        var told = FileObject(path: written.path, type: written.type)
        told.size = written.size
        return told
    }
}
