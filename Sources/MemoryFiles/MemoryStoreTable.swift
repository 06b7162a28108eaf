import FileProviding
import Foundation

/// The stores that have a name, each created on first use.
public final class MemoryStoreTable: Sendable {
    /// The stores that `mem:` URLs refer to in this process.
    ///
    /// This is the one piece of shared state in this module: a URL has nothing but a name to find its store by. For
    /// stores that nothing else can reach, create a separate table or ``MemoryStore``.
    public static let process = MemoryStoreTable()

    private let stores = Locked<[ItemName: MemoryStore]>([:])

    /// Creates a table without stores.
    public init() {}

    /// Returns the store with this name.
    public func store(named name: ItemName) -> MemoryStore {
        stores.withLock { stores in
            if let store = stores[name] { return store }
            let store = MemoryStore(name: name, capacity: nil, clock: { FileTime(Date()) })
            stores[name] = store
            return store
        }
    }

    /// Removes a store from the table; those who hold it keep it.
    public func removeStore(named name: ItemName) {
        stores.withLock { _ = $0.removeValue(forKey: name) }
    }
}
