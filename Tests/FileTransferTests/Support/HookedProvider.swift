import FileProviders
import Foundation

/// Memory where something happens when a file has just been written, before an item is moved, removed, read, listed or
/// looked up, and when it is asked whether it is there; and which may tell other things of its items than are true.
struct HookedProvider: FileProvider, FileProviderSymbolicLink {
    static let type = MemoryFileProvider.type

    let base: MemoryFileProvider
    let afterWrite: @Sendable (_ count: Int) async throws -> Void
    let beforeMove: @Sendable (_ count: Int) async throws -> Void
    let beforeRemoval: @Sendable (_ path: ItemPath) async throws -> Void
    let beforeListing: @Sendable (_ path: ItemPath) async throws -> Void
    let whenAsked: @Sendable (_ count: Int) async throws -> Void
    let beforeReading: @Sendable (_ path: ItemPath) async throws -> Void
    let beforeLook: @Sendable (_ asked: [ItemPath]) async throws -> Void
    let telling: @Sendable (_ item: inout FileObject) -> Void
    let knowing: @Sendable (_ characteristics: inout ProviderCharacteristics) -> Void
    /// Where a server would be.
    let baseURL: URL?
    /// The items whose attributes were asked for.
    let asked = Locked<[ItemPath]>([])
    /// Whether each write and each move was to be flushed.
    let flushes = Locked<[Bool]>([])
    private let writes = Locked(0)
    private let moves = Locked(0)
    private let questions = Locked(0)

    init(
        on base: MemoryFileProvider = MemoryFileProvider(), at baseURL: URL? = nil,
        afterWrite: @escaping @Sendable (_ count: Int) async throws -> Void = { _ in },
        beforeMove: @escaping @Sendable (_ count: Int) async throws -> Void = { _ in },
        beforeRemoval: @escaping @Sendable (_ path: ItemPath) async throws -> Void = { _ in },
        beforeListing: @escaping @Sendable (_ path: ItemPath) async throws -> Void = { _ in },
        whenAsked: @escaping @Sendable (_ count: Int) async throws -> Void = { _ in },
        beforeReading: @escaping @Sendable (_ path: ItemPath) async throws -> Void = { _ in },
        beforeLook: @escaping @Sendable (_ asked: [ItemPath]) async throws -> Void = { _ in },
        telling: @escaping @Sendable (_ item: inout FileObject) -> Void = { _ in },
        knowing: @escaping @Sendable (_ characteristics: inout ProviderCharacteristics) -> Void = { _ in }
    ) {
        self.base = base
        self.baseURL = baseURL
        self.telling = telling
        self.knowing = knowing
        self.beforeReading = beforeReading
        self.beforeLook = beforeLook
        self.beforeRemoval = beforeRemoval
        self.beforeListing = beforeListing
        self.whenAsked = whenAsked
        self.afterWrite = afterWrite
        self.beforeMove = beforeMove
    }

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> HookedProvider { self }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        let asked = asked.withLock { asked in
            asked.append(path)
            return asked
        }
        try await beforeLook(asked)
        return try await told(base.attributesOfItem(path: path))
    }

    private func told(_ item: FileObject) -> FileObject {
        var item = item
        telling(&item)
        return item
    }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing(page: {
            try await beforeListing(path)
            return try await base.listing(path: path).reduce(into: []) { $0 += $1 }.map(told)
        })
    }

    func checkReachable() async throws { try await whenAsked(next(questions)) }

    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        var characteristics = try await base.characteristics(path: path)
        knowing(&characteristics)
        return characteristics
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await beforeReading(path)
        return try await base.read(path: path, range: range, in: context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        flushes.withLock { $0.append(context.options.flush) }
        let file = try await base.write(path: path, from: source, in: context)
        try await afterWrite(next(writes))
        return told(file)
    }

    func destination(ofSymbolicLink path: ItemPath) async throws -> LinkTarget {
        try await base.destination(ofSymbolicLink: path)
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        if case .move = operation {
            flushes.withLock { $0.append(context.options.flush) }
            try await beforeMove(next(moves))
        }
        if case .remove(let path) = operation { try await beforeRemoval(path) }
        return switch operation {
        case .upload, .download: try await defaultPerform(operation, in: context)
        default: try await base.perform(operation, in: context)
        }
    }

    private func next(_ count: Locked<Int>) -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
