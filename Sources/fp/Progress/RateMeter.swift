/// The speed over the last seconds, which is what users want to know; not since the beginning.
struct RateMeter {
    private var samples: [(time: ContinuousClock.Instant, bytes: Int64)] = []
    private static let window = Duration.seconds(5)

    /// Records how many bytes have been transferred until now.
    mutating func note(_ bytes: Int64, at time: ContinuousClock.Instant) {
        samples.append((time, bytes))
        while samples.count > 2, let second = samples.dropFirst().first, time - second.time > Self.window {
            samples.removeFirst()
        }
    }

    /// Bytes per second, or `nil` when it is too early to tell.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let seconds = (last.time - first.time).seconds
        return seconds > 0.2 ? Double(last.bytes - first.bytes) / seconds : nil
    }
}

extension Duration {
    /// Seconds with their fraction.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
