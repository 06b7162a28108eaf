import FileProviding
import Foundation

/// The stores that have a name, each made when it is first asked for.
public final class MemoryStoreTable: Sendable {
    /// The stores that `mem:` URLs mean in this process.
    ///
    /// The one piece of shared state in this module: a URL has nothing but a name to find its store by. Whoever wants
    /// stores that nobody else can reach makes a table, or a ``MemoryStore``, of their own.
    public static let process = MemoryStoreTable()

    private let stores = Locked<[ItemName: MemoryStore]>([:])

    /// A table without stores.
    public init() {}

    /// The store of this name.
    public func store(named name: ItemName) -> MemoryStore {
        stores.withLock { stores in
            if let store = stores[name] { return store }
            let store = MemoryStore(name: name, capacity: nil, clock: { FileTime(Date()) })
            stores[name] = store
            return store
        }
    }

    /// Forgets a store; those who hold it keep it.
    public func removeStore(named name: ItemName) {
        stores.withLock { _ = $0.removeValue(forKey: name) }
    }
}
