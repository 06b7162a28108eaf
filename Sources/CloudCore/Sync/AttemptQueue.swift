import FileProviding

/// Attempts that have been recorded and wait for room in the budget, in the order of their commands: attempts that are
/// recorded together arrive in any order.
struct AttemptQueue {
    /// A waiting attempt.
    struct Element {
        let record: (number: Int64, attempt: Int)
        let share: SyncBudget.Share
        /// Resumed with whether there is room; if not, the attempt is called off.
        let go: CheckedContinuation<Bool, Never>
    }

    /// Slices, whose first element can be removed without moving the others.
    private var waiting = SyncBudget.PerShare<ArraySlice<Element>>([])

    /// Adds an attempt at a record.
    mutating func insert(_ record: SyncRecord, _ go: CheckedContinuation<Bool, Never>) {
        let share = record.kind.share
        let place = waiting[share].partitioningIndex { $0.record.number > record.number }
        waiting[share].insert(Element(record: (record.number, record.attempts), share: share, go: go), at: place)
    }

    /// Removes and returns the first attempt of the shares that have room.
    mutating func popFirst(where hasRoom: (SyncBudget.Share) -> Bool) -> Element? {
        var first: Element?
        for share in SyncBudget.Share.allCases {
            guard let head = waiting[share].first, head.record.number < first?.record.number ?? .max, hasRoom(share)
            else { continue }
            first = head
        }
        if let first { waiting[first.share].removeFirst() }
        return first
    }

    /// Removes and returns the waiting attempt at a record, if there is one.
    mutating func remove(_ number: Int64) -> Element? {
        for share in SyncBudget.Share.allCases {
            guard let place = waiting[share].firstIndex(where: { $0.record.number == number }) else { continue }
            return waiting[share].remove(at: place)
        }
        return nil
    }
}
