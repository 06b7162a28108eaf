import Glibc

/// One value behind one lock; copies share both.
///
/// A pthread mutex instead of `Synchronization.Mutex`, because ThreadSanitizer does not understand the latter on Linux
/// and reports a race on every contended access. Inside `withLock`: no I/O, no callbacks; return an action instead.
///
/// Store a closure in a structure, not directly in the lock: each `withLock` would wrap it in one more closure,
/// permanently.
package struct Locked<Value>: @unchecked Sendable {  // The mutex guards every access to the value.
    /// The value is the buffer's header, the mutex its only element: the copy of a small file makes five locks, and
    /// each is one allocation.
    private final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
        deinit {
            _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
        }
    }

    private let storage: ManagedBuffer<Value, pthread_mutex_t>

    package init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in value }
        _ = storage.withUnsafeMutablePointerToElements { pthread_mutex_init($0, nil) }
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer { withExtendedLifetime(storage) { _ = pthread_mutex_unlock(mutex) } }
        return try body(&value.pointee)
    }
}
