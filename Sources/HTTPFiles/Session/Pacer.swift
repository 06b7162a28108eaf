import Foundation

/// The time and randomness that retries need; tests supply their own.
package struct Pacer: Sendable {
    /// Returns the seconds since some fixed point in time.
    package let elapsed: @Sendable () -> TimeInterval
    /// Waits for the given number of seconds.
    package let sleep: @Sendable (TimeInterval) async throws -> Void
    /// Returns the wall-clock time.
    let date: @Sendable () -> Date
    /// Returns a number from 0 up to, not including, 1.
    let random: @Sendable () -> Double

    package init<C: Clock>(
        clock: C, date: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) / .seconds(1) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: .seconds($0)), tolerance: nil) }
        self.date = date
        self.random = random
    }
}
