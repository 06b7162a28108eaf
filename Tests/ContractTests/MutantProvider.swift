import FileProviderTesting
import FileProviders

/// One broken promise: the hooks that break it; what has no hook is done as it should be.
struct Mutation: Sendable, CustomStringConvertible {
    typealias Base = MemoryFileProvider

    let description: String
    /// The part of the contract that has to notice.
    let section: ContractSection

    var attributes: @Sendable (Base, ItemPath) async throws -> FileObject = { try await $0.attributesOfItem(path: $1) }
    var listing: @Sendable (Base, ItemPath) -> DirectoryListing = { $0.listing(path: $1) }
    var read: @Sendable (Base, ItemPath, ByteRange, OperationContext) async throws -> FileContents = {
        try await $0.read(path: $1, range: $2, in: $3)
    }
    var write: @Sendable (Base, ItemPath, ByteStream, OperationContext) async throws -> FileObject = {
        try await $0.write(path: $1, from: $2, in: $3)
    }
    var perform: @Sendable (Base, FileOperationType, OperationContext) async throws -> FileObject? = {
        try await $0.perform($1, in: $2)
    }
    var changes: @Sendable (Base, ItemPath, Bool) async throws -> FileChanges = {
        try await $0.changes(path: $1, recursive: $2)
    }
    var search: @Sendable (Base, ItemPath, Bool, FileQuery) -> DirectoryListing = {
        $0.search(path: $1, recursive: $2, query: $3)
    }
    var setAttributes: @Sendable (Base, ItemAttributes, ItemPath) async throws -> FileObject = {
        try await $0.setAttributes($1, of: $2)
    }
    var resume: @Sendable (ResumableUpload.State?) -> ResumableUpload.State? = { $0 }

    init(_ description: String, _ section: ContractSection, _ breakPromise: (inout Mutation) -> Void = { _ in }) {
        self.description = description
        self.section = section
        breakPromise(&self)
    }
}

/// Memory with one promise broken.
struct MutantProvider: FileProvider, FileProviderSymbolicLink, FileProviderPartialWrite, FileProviderMonitor,
    FileProviderUndoable, TrashProvider, AttributeProvider, ChangeTokenProvider, ChecksumProvider
{
    static let type = MemoryFileProvider.type

    let base: MemoryFileProvider
    let mutation: Mutation

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    var undoHistory: UndoHistory { base.undoHistory }
    var checksumAlgorithms: [Checksum.Algorithm] { base.checksumAlgorithms }

    func copy() -> MutantProvider { MutantProvider(base: base.copy(), mutation: mutation) }

    func attributesOfItem(path: ItemPath) async throws -> FileObject { try await mutation.attributes(base, path) }

    func listing(path: ItemPath) -> DirectoryListing { mutation.listing(base, path) }

    func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        mutation.search(base, path, recursive, query)
    }

    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        try await base.storageProperties(path: path)
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await mutation.read(base, path, range, context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        try await mutation.write(base, path, source, context)
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        switch operation {
        case .upload, .download: try await defaultPerform(operation, in: context)
        default: try await mutation.perform(base, operation, context)
        }
    }

    func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject {
        try await mutation.setAttributes(base, attributes, path)
    }

    func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges {
        try await mutation.changes(base, path, recursive)
    }

    func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        try await base.beginPartialWrite(path: path, length: length, resuming: mutation.resume(state), in: context)
    }

    func destination(ofSymbolicLink path: ItemPath) async throws -> LinkTarget {
        try await base.destination(ofSymbolicLink: path)
    }

    func canUndo(_ operation: FileOperationType) -> Bool { base.canUndo(operation) }
    func trashedItems() async throws -> [TrashedItem] { try await base.trashedItems() }
    func trash(path: ItemPath) async throws -> TrashedItem { try await base.trash(path: path) }
    func restore(_ item: TrashedItem, to path: ItemPath?) async throws { try await base.restore(item, to: path) }
    func emptyTrash(_ item: TrashedItem?) async throws { try await base.emptyTrash(item) }
    func changeToken(path: ItemPath) async throws -> ChangeToken { try await base.changeToken(path: path) }

    func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum? {
        try await base.checksum(path: path, algorithm: algorithm)
    }
}
