/// The records that are under way, and how many of each kind count for the budget.
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

    private var runs: [Int64: (kind: SyncRecord.Kind, run: Run)] = [:]
    private var beginning: [SyncRecord.Kind: Int] = [:]
    private var performing: [SyncRecord.Kind: Int] = [:]
    /// The kinds of which so few are about to begin that more are to follow.
    private var filling = Set(SyncRecord.Kind.allCases)

    var isEmpty: Bool { runs.isEmpty }

    /// The kinds of which one more may begin. As many are written down ahead as may be under way, and several together, so
    /// that the connection does not wait for the disk.
    mutating func kindsToBegin(within budget: SyncBudget) -> [SyncRecord.Kind] {
        SyncRecord.Kind.allCases.filter { kind in
            guard budget.allows(kind, beside: beginning) else {
                filling.remove(kind)
                return false
            }
            if (beginning[kind] ?? 0) * 2 <= budget.limit(of: kind) { filling.insert(kind) }
            return filling.contains(kind)
        }
    }

    /// Whether the connection may be asked for one more of a kind.
    func hasRoom(for kind: SyncRecord.Kind, within budget: SyncBudget) -> Bool {
        budget.allows(kind, beside: performing)
    }

    /// How far a record is; `nil` for one that is not under way.
    subscript(number: Int64) -> Run? { runs[number]?.run }

    /// Adds a record.
    mutating func begin(_ record: SyncRecord) {
        remove(record.number)
        runs[record.number] = (record.kind, .beginning)
        beginning[record.kind, default: 0] += 1
    }

    /// Notes how far a record under way is.
    mutating func advance(_ number: Int64, to run: Run) {
        guard let (kind, old) = runs[number] else { return }
        count(kind, old, by: -1)
        count(kind, run, by: 1)
        runs[number] = (kind, run)
    }

    /// Takes a record out; none is fine.
    mutating func remove(_ number: Int64) {
        guard let (kind, run) = runs.removeValue(forKey: number) else { return }
        count(kind, run, by: -1)
    }

    private mutating func count(_ kind: SyncRecord.Kind, _ run: Run, by change: Int) {
        switch run {
        case .beginning: beginning[kind, default: 0] += change
        case .performing: performing[kind, default: 0] += change
        case .ending: break
        }
    }
}
