/// Attempts that have been written down and wait for room in the budget, in the order in which they came.
struct AttemptQueue {
    /// One that waits.
    struct Element {
        let record: (number: Int64, attempt: Int)
        let share: SyncBudget.Share
        /// With whether there is room; else the attempt is called off.
        let go: CheckedContinuation<Bool, Never>
        fileprivate let place: Int
    }

    /// Slices, whose first element goes without the others being moved.
    private var waiting = SyncBudget.PerShare<ArraySlice<Element>>([])
    private var arrivals = 0

    /// Adds an attempt at a record behind all others.
    mutating func append(_ record: SyncRecord, _ go: CheckedContinuation<Bool, Never>) {
        arrivals += 1
        let share = record.kind.share
        let record = (record.number, record.attempts)
        waiting[share].append(Element(record: record, share: share, go: go, place: arrivals))
    }

    /// Takes out the first attempt of the shares that have room.
    mutating func popFirst(where hasRoom: (SyncBudget.Share) -> Bool) -> Element? {
        var first: Element?
        for share in SyncBudget.Share.allCases {
            guard let head = waiting[share].first, hasRoom(share), head.place < first?.place ?? .max else { continue }
            first = head
        }
        if let first { waiting[first.share].removeFirst() }
        return first
    }

    /// Takes out the attempt at a record that waits, if one does.
    mutating func remove(_ number: Int64) -> Element? {
        for share in SyncBudget.Share.allCases {
            guard let index = waiting[share].firstIndex(where: { $0.record.number == number }) else { continue }
            return waiting[share].remove(at: index)
        }
        return nil
    }
}
