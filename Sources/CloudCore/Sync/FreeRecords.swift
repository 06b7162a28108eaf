import FileProviding

/// The records that have no other before them and are not in progress, by their share of the budget and in order: the
/// next one is found without examining those that the budget holds back.
struct FreeRecords: Sendable {
    /// Slices, whose first element can be removed without moving the others.
    private var numbers = SyncBudget.PerShare<ArraySlice<Int64>>([])
    private var shares: [Int64: SyncBudget.Share] = [:]
    private var times: [Int64: FileTime] = [:]

    /// Returns when the first of those that wait for a time after `now` may continue.
    func firstTime(after now: FileTime) -> FileTime? { times.values.filter { $0 > now }.min() }

    /// Adds a record.
    mutating func insert(_ record: SyncRecord) {
        guard shares[record.number] == nil else { return update(record) }
        let share = record.kind.share
        shares[record.number] = share
        numbers[share].insert(record.number, at: numbers[share].partitioningIndex { $0 > record.number })
        update(record)
    }

    /// Updates what a record waits for; one that is not here is not added.
    mutating func update(_ record: SyncRecord) {
        guard shares[record.number] != nil else { return }
        times[record.number] = record.waits.compactMap(\.time).max()
    }

    /// Removes a record; does nothing if there is none.
    mutating func remove(_ number: Int64) {
        guard let share = shares.removeValue(forKey: number) else { return }
        times[number] = nil
        let position = numbers[share].partitioningIndex { $0 >= number }
        if position == numbers[share].startIndex {
            numbers[share].removeFirst()
        } else {
            numbers[share].remove(at: position)
        }
    }

    /// Returns the first record of these shares for which `isReady` returns true.
    func first(of shares: [SyncBudget.Share], where isReady: (Int64) -> Bool) -> Int64? {
        shares.compactMap { numbers[$0].first(where: isReady) }.min()
    }
}
