/// The records that are under way, and how many of them count for the budget.
struct RunningRecords: Sendable {
    /// How far a record is.
    enum Run: Sendable {
        /// Its attempt is being written down, or waits for its turn.
        case beginning
        /// The connection is at it.
        case performing(Task<Void, Never>?, attempt: Int)
        /// The connection has nothing to do for it any more: its outcome is to come, or is being written down.
        case ending
    }

    private var runs: [Int64: (share: SyncBudget.Share, run: Run)] = [:]
    private var beginning = SyncBudget.Load(0)
    private var performing = SyncBudget.Load(0)
    /// The shares of which so few are about to begin that more are to follow.
    private var filling = SyncBudget.PerShare(true)

    var isEmpty: Bool { runs.isEmpty }

    func contains(_ number: Int64) -> Bool { runs[number] != nil }

    /// The shares of which one more may begin. Twice as many are written down ahead as may be under way, and many together:
    /// the connection does not wait for the disk, and a transaction costs the more, the fewer are in it.
    mutating func sharesToBegin(within budget: SyncBudget) -> [SyncBudget.Share] {
        let ahead = budget.doubled
        return SyncBudget.Share.allCases.filter { share in
            guard ahead.allows(share, beside: beginning) else {
                filling[share] = false
                return false
            }
            if beginning[share] <= budget.limit(of: share) { filling[share] = true }
            return filling[share]
        }
    }

    /// Whether the connection may be asked for one more of a share.
    func hasRoom(for share: SyncBudget.Share, within budget: SyncBudget) -> Bool {
        budget.allows(share, beside: performing)
    }

    /// How far a record is; `nil` for one that is not under way.
    subscript(number: Int64) -> Run? { runs[number]?.run }

    /// Adds a record.
    mutating func begin(_ record: SyncRecord) {
        remove(record.number)
        runs[record.number] = (record.kind.share, .beginning)
        beginning[record.kind.share] += 1
    }

    /// Notes how far a record under way is.
    mutating func advance(_ number: Int64, to run: Run) {
        guard let (share, old) = runs[number] else { return }
        count(share, old, by: -1)
        count(share, run, by: 1)
        runs[number] = (share, run)
    }

    /// Takes a record out; none is fine. Returns whether it was there.
    @discardableResult
    mutating func remove(_ number: Int64) -> Bool {
        guard let (share, run) = runs.removeValue(forKey: number) else { return false }
        count(share, run, by: -1)
        return true
    }

    private mutating func count(_ share: SyncBudget.Share, _ run: Run, by change: Int) {
        switch run {
        case .beginning: beginning[share] += change
        case .performing: performing[share] += change
        case .ending: break
        }
    }
}
