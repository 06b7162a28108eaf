import Foundation

/// Time and chance, as retries need them; tests bring their own.
package struct Pacer: Sendable {
    /// Seconds since some fixed moment.
    package let elapsed: @Sendable () -> TimeInterval
    /// Waits so many seconds.
    package let sleep: @Sendable (TimeInterval) async throws -> Void
    /// The wall clock.
    let date: @Sendable () -> Date
    /// A number from 0 up to 1.
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
