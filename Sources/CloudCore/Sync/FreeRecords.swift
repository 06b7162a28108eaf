import FileProviding

/// The records that have no other before them and are not under way, by their share of the budget and in order: the next
/// one is found without looking at those that the budget holds back.
struct FreeRecords: Sendable {
    /// Slices, whose first element goes without the others being moved.
    private var numbers = SyncBudget.PerShare<ArraySlice<Int64>>([])
    private var shares: [Int64: SyncBudget.Share] = [:]
    private var times: [Int64: FileTime] = [:]

    /// When the first of those that wait for a time behind `now` may go on.
    func firstTime(after now: FileTime) -> FileTime? { times.values.filter { $0 > now }.min() }

    /// Adds a record.
    mutating func insert(_ record: SyncRecord) {
        guard shares[record.number] == nil else { return update(record) }
        let share = record.kind.share
        shares[record.number] = share
        numbers[share].insert(record.number, at: numbers[share].partitioningIndex { $0 > record.number })
        update(record)
    }

    /// Takes over what a record waits for; one that is not here stays away.
    mutating func update(_ record: SyncRecord) {
        guard shares[record.number] != nil else { return }
        times[record.number] = record.waits.compactMap(\.time).max()
    }

    /// Takes a record out; none is fine.
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

    /// The first record of these shares for which `isReady` says yes.
    func first(of shares: [SyncBudget.Share], where isReady: (Int64) -> Bool) -> Int64? {
        shares.compactMap { numbers[$0].first(where: isReady) }.min()
    }
}
