import Glibc

/// One value behind one lock; copies share both.
///
/// A pthread mutex instead of `Synchronization.Mutex`, because ThreadSanitizer does not understand the latter on Linux
/// and reports a race on every contended access. Inside `withLock`: no I/O, no callbacks; return an action instead.
///
/// Store a closure in a structure, not directly in the lock: each `withLock` would wrap it in one more closure,
/// permanently.
///
/// Specialized in the module that uses it, since the copy of a small file locks about fifty times: that needs
/// `@usableFromInline` on the type too.
@frozen
@usableFromInline
package struct Locked<Value>: @unchecked Sendable {  // The mutex guards every access to the value.
    /// The value is the buffer's header, the mutex its only element: the copy of a small file creates five of these,
    /// and each is one allocation.
    @usableFromInline
    final class Storage: ManagedBuffer<Value, SystemMutex> {
        deinit {
            withUnsafeMutablePointerToElements { $0.destroyMutex() }
        }
    }

    @usableFromInline
    let storage: ManagedBuffer<Value, SystemMutex>

    @inlinable
    package init(_ value: Value) {
        storage = Storage.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { $0.createMutex() }
    }

    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        mutex.lock()
        defer { withExtendedLifetime(storage) { mutex.unlock() } }
        return try body(&value.pointee)
    }
}

/// The memory of a pthread mutex.
@usableFromInline
struct SystemMutex {
    fileprivate var mutex: pthread_mutex_t
}

extension UnsafeMutablePointer<SystemMutex> {
    private var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    @usableFromInline
    func createMutex() {
        initialize(to: SystemMutex(mutex: pthread_mutex_t()))
        pthread_mutex_init(mutex, nil)
    }

    @usableFromInline
    func destroyMutex() { pthread_mutex_destroy(mutex) }

    @usableFromInline
    func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline
    func unlock() { pthread_mutex_unlock(mutex) }
}
