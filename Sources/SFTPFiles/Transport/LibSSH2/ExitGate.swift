import Glibc

/// Keeps threads out of libssh2 while the process exits: OpenSSL frees then what they are using.
///
/// Whoever calls libssh2 holds the gate meanwhile. Exit handlers run in reverse order, so that ours, which closes the gate for
/// good, comes before OpenSSL's.
enum ExitGate {
    // Made once, never changed, and made for being used by several threads.
    nonisolated(unsafe) private static let gate: UnsafeMutablePointer<pthread_rwlock_t> = {
        let gate = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(gate, nil)
        return gate
    }()

    /// Closes the gate at exit; to be called once, when OpenSSL has been initialised.
    static func closeAtExit() {
        atexit {
            // Somebody may wait inside for a person's answer; a fifth of a second is enough for everybody else.
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

    /// Does something with libssh2.
    static func inside<Result>(_ work: () throws -> Result) rethrows -> Result {
        pthread_rwlock_rdlock(gate)
        defer { pthread_rwlock_unlock(gate) }
        return try work()
    }

    /// Waits outside, in the middle of something that is done inside.
    static func outside<Result>(_ wait: () throws -> Result) rethrows -> Result {
        pthread_rwlock_unlock(gate)
        defer { pthread_rwlock_rdlock(gate) }
        return try wait()
    }
}
