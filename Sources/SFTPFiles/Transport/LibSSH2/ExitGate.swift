import Glibc

/// Keeps threads out of libssh2 while the process exits, when OpenSSL frees what they are using.
///
/// Callers of libssh2 hold the gate during each call. Exit handlers run in reverse order, so that ours, which closes
/// the gate permanently, runs before OpenSSL's.
enum ExitGate {
    // Created once, never changed, and made to be used by several threads.
    nonisolated(unsafe) private static let gate: UnsafeMutablePointer<pthread_rwlock_t> = {
        let gate = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(gate, nil)
        return gate
    }()

    /// Closes the gate at exit; to be called once, after OpenSSL was initialized.
    static func closeAtExit() {
        atexit {
            // A thread may be waiting inside for a user's answer; a fifth of a second is enough for all others.
            var deadline = timespec()
            clock_gettime(CLOCK_REALTIME, &deadline)
            deadline.tv_nsec += 200_000_000
            if deadline.tv_nsec >= 1_000_000_000 {
                deadline.tv_sec += 1
                deadline.tv_nsec -= 1_000_000_000
            }
            pthread_rwlock_timedwrlock(ExitGate.gate, &deadline)
        }
    }

    /// Runs work that uses libssh2.
    static func inside<Result>(_ work: () throws -> Result) rethrows -> Result {
        pthread_rwlock_rdlock(gate)
        defer { pthread_rwlock_unlock(gate) }
        return try work()
    }

    /// Waits outside the gate, in the middle of work that runs inside.
    static func outside<Result>(_ wait: () throws -> Result) rethrows -> Result {
        pthread_rwlock_unlock(gate)
        defer { pthread_rwlock_rdlock(gate) }
        return try wait()
    }
}
