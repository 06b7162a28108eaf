/// How fast bytes went by in the last seconds, which is what a person wants to know; not since the beginning.
struct RateMeter {
    private var samples: [(time: ContinuousClock.Instant, bytes: Int64)] = []
    private static let window = Duration.seconds(5)

    /// Notes how many bytes have gone by until now.
    mutating func note(_ bytes: Int64, at time: ContinuousClock.Instant) {
        samples.append((time, bytes))
        while samples.count > 2, let second = samples.dropFirst().first, time - second.time > Self.window {
            samples.removeFirst()
        }
    }

    /// Bytes per second, or `nil` before anything can be said.
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
