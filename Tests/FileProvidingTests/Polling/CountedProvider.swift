import FileProviding
import Foundation

/// A provider that notes what it is asked for, and fails when it is told to.
final class CountedProvider: FileProviderBasic {
    /// What the storage is able to do for someone who polls.
    enum Way { case tags, wholeTree, directories }

    static let type = "Counted"
    private let base: any FileProviderBasic
    private let way: Way
    private let log = Locked<[String]>([])
    private let failures = Locked<[any Error]>([])
    private let closed = Locked<(path: ItemPath, error: any Error)?>(nil)

    init(_ base: any FileProviderBasic, _ way: Way) {
        self.base = base
        self.way = way
    }

    /// What it was asked for since ``forget()``.
    var asked: [String] { log.withLock { $0 } }
    func forget() { log.withLock { $0 = [] } }

    /// The next questions fail so.
    func fail(with errors: [any Error]) { failures.withLock { $0 = errors.reversed() } }

    /// From now on the directory is not listed, or all are.
    func close(_ directory: ItemPath?, with error: (any Error)? = nil) {
        closed.withLock { closed in
            closed = directory.map { ($0, error ?? cocoaError($0, code: .fileReadNoPermission)) }
        }
    }

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> Self { self }

    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        var characteristics = ProviderCharacteristics()
        characteristics.propagatesDirectoryETags = way == .tags
        characteristics.listsTreesAtOnce = way == .wholeTree
        return characteristics
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try note("attributes \(path)")
        return try await base.attributesOfItem(path: path)
    }

    func listing(path: ItemPath) -> DirectoryListing { noted("listing", path, base.listing(path: path)) }

    func recursiveListing(path: ItemPath) -> DirectoryListing {
        way == .wholeTree
            ? noted("tree", path, base.recursiveListing(path: path)) : defaultRecursiveListing(path: path)
    }

    private func noted(_ question: String, _ path: ItemPath, _ listing: DirectoryListing) -> DirectoryListing {
        DirectoryListing {
            try self.note("\(question) \(path)")
            if let closed = self.closed.withLock({ $0 }), closed.path == path { throw closed.error }
            return try await listing.collect()
        }
    }

    private func note(_ question: String) throws {
        log.withLock { $0.append(question) }
        if let error = failures.withLock({ $0.popLast() }) { throw error }
    }
}
