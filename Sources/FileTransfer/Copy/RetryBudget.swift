import FileProviding

/// The number of retries left, for all items together.
final class RetryBudget: Sendable {
    private let rule: TransferOptions.RetryRule
    private let left: Locked<Int>

    init(_ rule: TransferOptions.RetryRule) {
        self.rule = rule
        left = Locked(rule.inTransfer)
    }

    /// Returns whether an item may be tried again after this many attempts, and counts it.
    ///
    /// - Parameter isOutageOver: whether the attempt met an outage that is over; such attempts count only for the item
    ///   itself.
    func mayRepeat(after attempts: Int, isOutageOver: Bool = false) -> Bool {
        guard attempts <= rule.perFile else { return false }
        if isOutageOver { return true }
        return left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }

    /// Returns how long to wait first: twice as long each time, randomized so that files do not come back all at once.
    func pause(after attempts: Int) -> Duration {
        let bound = min(rule.longestPause, rule.firstPause * Double(1 << min(attempts - 1, 16)))
        return bound * Double.random(in: 0.5...1)
    }
}
