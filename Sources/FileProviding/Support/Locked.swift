import Glibc

/// One value behind one lock.
///
/// A pthread mutex instead of `Synchronization.Mutex`, because ThreadSanitizer does not understand the latter on Linux
/// and reports a race on every contended access. Inside `withLock`: no I/O, no callbacks; return an action instead.
///
/// Store a closure in a structure, not directly in the lock: each `withLock` would wrap it in one more closure,
/// permanently.
package final class Locked<Value>: @unchecked Sendable {  // The mutex guards every access to `value`.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
