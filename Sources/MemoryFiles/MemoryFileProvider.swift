import FileProviding
import Foundation

/// Files in this process's memory, with everything that real storage has: attributes, versions, links, a trash, a monitor.
///
/// For tests and for trying things out: it passes the whole contract, so what works over it works over real storage.
/// `MemoryFileProvider()` has a store of its own; `mem:NAME/path` URLs reach one store per name and process.
public final class MemoryFileProvider: FileProvider {
    /// `"Memory"`.
    public static let type = "Memory"

    /// Where the files are.
    public let store: MemoryStore
    /// Delegates, queues, logger and registrations.
    public let context = FileProviderContext()
    /// What has been done through this provider.
    public let undoHistory = UndoHistory()
    let pageSize: Int
    let chunkSize: Int
    let beforePage: BeforePage?

    /// Runs before a page of a listing is made, 0 for the first; what it throws, pulling the page throws.
    public typealias BeforePage = @Sendable (_ number: Int) async throws -> Void

    /// A provider of `store`.
    ///
    /// - Parameters:
    ///   - store: the files, which several providers may share.
    ///   - pageSize: how many entries a listing's page has at most.
    ///   - chunkSize: how many bytes reading hands out at a time.
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

    /// A provider of the same store.
    public func copy() -> MemoryFileProvider {
        MemoryFileProvider(store: store, pageSize: pageSize, chunkSize: chunkSize, beforePage: beforePage)
    }

    /// One item.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try store.read { try $0.find(path).object(at: path) }
    }

    /// The entries ordered by name, as they were when the first page was pulled.
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

    /// Everything that a file system with nanosecond times can do.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        var characteristics = ProviderCharacteristics()
        characteristics.settableTimePrecision = 1
        characteristics.timePrecision = 1
        characteristics.propagatesDirectoryETags = true
        characteristics.keepsPermissions = true
        characteristics.maximumNameLength = MemoryTree.longestName
        characteristics.family = "memory"
        return characteristics
    }

    /// The store's capacity, where it has one, and its use.
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
