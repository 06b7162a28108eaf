import FileProviding

/// A clock whose sleepers wake at once, after the time they asked for.
final class InstantClock: Clock {
    private let time = Locked(ContinuousClock.now)
    private let sleeps = Locked<[Duration]>([])

    var now: ContinuousClock.Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }
    /// How long each sleeper meant to sleep, in order.
    var pauses: [Duration] { sleeps.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        sleeps.withLock { $0.append(pause) }
        time.withLock { $0 = deadline }
    }
}
