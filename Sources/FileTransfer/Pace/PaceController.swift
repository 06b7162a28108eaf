/// Determines how many calls to make at once: more while that increases the throughput, fewer when it does not, few
/// when the storage is overloaded. Climbs a hill by small steps; has no clock of its own.
struct PaceController: Sendable {
    /// The most concurrent calls.
    private(set) var limit: Int
    private let range: ClosedRange<Int>
    private var rate: Double?
    private var isRising = true
    private var rest = 0
    /// Whether an overload was reported since the last measurement.
    private var isOverloaded = false

    /// The smallest increase that is more than chance.
    private static let gain = 1.05
    /// The smallest loss that is more than chance.
    private static let loss = 0.9
    /// The number of measurements after an overload during which nothing is tried.
    private static let restAfterOverload = 5

    init(start: Int, range: ClosedRange<Int>) {
        limit = start
        self.range = range
    }

    /// Records the throughput per second since the last measurement.
    ///
    /// - Parameter isSaturated: whether the limit was reached at all; if not, the rate says nothing about it.
    mutating func note(rate now: Double, isSaturated: Bool) {
        isOverloaded = false
        guard rest == 0 else { return rest -= 1 }
        guard isSaturated else { return }
        guard let before = rate else {
            rate = now
            return step()
        }
        rate = now
        if now < before * Self.loss {
            isRising.toggle()
            step()
        } else if now > before * Self.gain {
            step()
        } else {
            // No better with more: the additional calls only wait, and make others wait. Or no worse with fewer. More
            // are tried again later.
            if isRising {
                isRising = false
                step()
            }
            rest = Self.restAfterOverload
            rate = nil
            isRising = true
        }
    }

    /// Records that the storage reported overload, or stopped answering. Several such reports before the next
    /// measurement count once: they are about the same burst.
    mutating func noteOverload() {
        guard !isOverloaded else { return }
        isOverloaded = true
        limit = max(range.lowerBound, limit / 2)
        rate = nil
        isRising = true
        rest = Self.restAfterOverload
    }

    private mutating func step() {
        // From the floor there is only one way.
        if limit == range.lowerBound { isRising = true }
        let size = max(1, limit / 4)
        limit = min(range.upperBound, max(range.lowerBound, isRising ? limit + size : limit - size))
    }
}
