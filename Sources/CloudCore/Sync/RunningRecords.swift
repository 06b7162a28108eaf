/// The records in progress, and how many of them count for the budget.
struct RunningRecords: Sendable {
    /// The stage of a record.
    enum Run: Sendable {
        /// Its attempt is being recorded, or waits for its turn.
        case beginning
        /// The connection is carrying it out.
        case performing(Task<Void, Never>?, attempt: Int)
        /// The connection has finished with it: its outcome has yet to arrive, or is being stored.
        case ending
    }

    private var runs: [Int64: (share: SyncBudget.Share, run: Run)] = [:]
    private var beginning = SyncBudget.Load(0)
    private var performing = SyncBudget.Load(0)
    /// The shares of which so few are about to begin that more should follow.
    private var filling = SyncBudget.PerShare(true)

    var isEmpty: Bool { runs.isEmpty }

    func contains(_ number: Int64) -> Bool { runs[number] != nil }

    /// Returns the shares of which one more may begin. Twice as many attempts are recorded ahead as may be in progress,
    /// and many together, so that the connection does not wait for the disk; the fewer are in a transaction, the more
    /// each costs.
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

    /// Returns whether the connection may be given one more of a share.
    func hasRoom(for share: SyncBudget.Share, within budget: SyncBudget) -> Bool {
        budget.allows(share, beside: performing)
    }

    /// The stage of a record; `nil` for one that is not in progress.
    subscript(number: Int64) -> Run? { runs[number]?.run }

    /// Adds a record.
    mutating func begin(_ record: SyncRecord) {
        remove(record.number)
        runs[record.number] = (record.kind.share, .beginning)
        beginning[record.kind.share] += 1
    }

    /// Sets the stage of a record in progress.
    mutating func advance(_ number: Int64, to run: Run) {
        guard let (share, old) = runs[number] else { return }
        count(share, old, by: -1)
        count(share, run, by: 1)
        runs[number] = (share, run)
    }

    /// Removes a record; does nothing if there is none. Returns whether it was there.
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
