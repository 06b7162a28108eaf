import FileProviding
import Foundation

/// Files in this process's memory, with everything that real storage has: attributes, versions, links, a trash, a
/// monitor.
///
/// It is for tests and experiments: it passes the whole contract, so what works with it works with real storage.
/// `MemoryFileProvider()` has a store of its own; `mem:NAME/path` URLs reach one store per name and process.
public final class MemoryFileProvider: FileProvider {
    /// `"Memory"`.
    public static let type = "Memory"

    /// The store that holds the files.
    public let store: MemoryStore
    /// The delegates, queues, logger and registrations.
    public let context = FileProviderContext()
    /// The operations done through this provider.
    public let undoHistory = UndoHistory()
    let pageSize: Int
    let chunkSize: Int
    let beforePage: BeforePage?

    /// Called before a page of a listing is made, 0 for the first; an error that it throws is thrown by pulling the
    /// page.
    public typealias BeforePage = @Sendable (_ number: Int) async throws -> Void

    /// Creates a provider of `store`.
    ///
    /// - Parameters:
    ///   - store: the files, which several providers may share.
    ///   - pageSize: the most entries in a page of a listing.
    ///   - chunkSize: the number of bytes that reading returns at a time.
    ///   - beforePage: delays a listing, or makes it fail midway.
    public init(
        store: MemoryStore = MemoryStore(), pageSize: Int = 1_000, chunkSize: Int = 512 << 10,
        beforePage: BeforePage? = nil
    ) {
        precondition(pageSize > 0 && chunkSize > 0)
        self.store = store
        self.pageSize = pageSize
        self.chunkSize = chunkSize
        self.beforePage = beforePage
    }

    /// The store, by its name or its own identifier.
    public var identity: ProviderIdentity { ProviderIdentity(type: Self.type, authority: store.id) }

    /// `mem:NAME` for a store that has a name.
    public var baseURL: URL? { store.name.flatMap { _ in URL(string: "mem:\(store.id)") } }

    /// Returns a provider of the same store.
    public func copy() -> MemoryFileProvider {
        MemoryFileProvider(store: store, pageSize: pageSize, chunkSize: chunkSize, beforePage: beforePage)
    }

    /// Returns one item.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try store.read { try $0.find(path, followingLast: path.namesDirectory).object(at: path) }
    }

    /// Returns the entries ordered by name, as they were when the first page was pulled.
    public func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [store, pageSize, beforePage] in
            let pages = MemoryPages(store: store, path: path, pageSize: pageSize)
            let number = Locked(0)
            return {
                if let beforePage {
                    try await beforePage(
                        number.withLock { number in
                            defer { number += 1 }
                            return number
                        })
                }
                return try pages.next()
            }
        }
    }

    /// Returns everything that a file system with nanosecond times can do.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        var characteristics = ProviderCharacteristics()
        characteristics.computesChecksums = true
        characteristics.settableTimePrecision = 1
        characteristics.timePrecision = 1
        characteristics.propagatesDirectoryETags = true
        characteristics.keepsPermissions = true
        characteristics.maximumNameLength = MemoryTree.longestName
        characteristics.family = "memory"
        return characteristics
    }

    /// Returns the store's capacity, if it has one, and its usage.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        let (used, capacity) = store.usage
        var volume = VolumeObject(name: store.name?.text)
        volume.url = baseURL
        volume.usedCapacity = used
        volume.totalCapacity = capacity
        volume.availableCapacity = capacity.map { max(0, $0 - used) }
        volume.isReadOnly = false
        return volume
    }
}
