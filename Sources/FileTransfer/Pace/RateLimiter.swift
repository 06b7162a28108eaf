import FileProviding

/// Lets a number of units pass per second, each when its time is over; idle time saves up at most a tenth of a second's
/// worth.
package actor RateLimiter {
    nonisolated let perSecond: Double
    private let clock: any Clock<Duration>
    private let start: @Sendable () -> Duration
    private var next: Duration = .milliseconds(-100)

    package init(perSecond: Double, clock: any Clock<Duration>) {
        self.perSecond = perSecond
        self.clock = clock
        start = Self.elapsed(clock)
    }

    /// Waits until `units` may pass.
    package func pass(_ units: Double) async throws {
        let now = start()
        next = max(next, now - .milliseconds(100)) + .seconds(units / perSecond)
        guard next > now else { return }
        try await clock.sleep(for: next - now)
    }

    private static func elapsed<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }
}
