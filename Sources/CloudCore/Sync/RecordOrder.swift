import FileProviding

/// The vault's records in their order: which of them may begin, which are in progress, and which wait for others.
struct RecordOrder: Sendable {
    /// The records that are in progress.
    var running = RunningRecords()
    /// Whether there may be records that have not been put in order yet.
    private(set) var hasNews = false
    private var lanes = Lanes()
    /// All records that have been put in order, whatever they wait for.
    private var records: [Int64: SyncRecord] = [:]
    /// Those of them that have no other before them and are not in progress.
    private var free = FreeRecords()
    private var last: Int64 = 0
    /// Records that commands have changed, and whose state here is outdated.
    private var changedOutside: Set<Int64> = []
    /// Records that have been updated since the last read of those to be put in order.
    private var overtaken: Set<Int64> = []

    /// What is to be read from the vault.
    struct Reading: Sendable {
        /// How many new records are put in order at a time, so that the first ones begin before the last ones are read.
        static let portion = 128

        /// New are the records after this number.
        let last: Int64
        /// Those that commands have changed.
        let changed: Set<Int64>
    }

    /// Returns the number of a command's record.
    func number(of id: EventID) -> Int64? { records.values.first { $0.id == id }?.number }

    // MARK: Reading the vault

    /// Records that there may be new records, and which others a command has changed.
    mutating func note(changed: Set<Int64>) {
        changedOutside.formUnion(changed)
        hasNews = true
    }

    /// Returns what is to be read now. What is in progress has to end first.
    mutating func beginReading() -> Reading {
        let changed = changedOutside.filter { !running.contains($0) }
        changedOutside.subtract(changed)
        (hasNews, overtaken) = (false, [])
        return Reading(last: last, changed: changed)
    }

    /// Puts new records in order, and applies what commands have done to others.
    mutating func endReading(
        _ reading: Reading, new: [SyncRecord.Standing], others: [Int64: SyncRecord.Standing?]
    ) {
        // Which of two was read later is unknown: what has been updated in the meantime is read again.
        let outdated = overtaken
        update(others.filter { !outdated.contains($0.key) })
        for (record, touch) in new where record.number > last {
            last = record.number
            records[record.number] = record
            if lanes.add(record.number, touching: touch) { free.insert(record) }
        }
        changedOutside.formUnion(outdated.intersection(reading.changed.union(new.map(\.record.number))))
        if new.count == Reading.portion || changedOutside.contains(where: { !running.contains($0) }) { hasNews = true }
    }

    /// Updates the states of records, none of which is in progress any more; those that are gone let others pass.
    ///
    /// - Parameter reordered: those among them that touch something else although they are the same.
    mutating func update(_ standings: [Int64: SyncRecord.Standing?], reordered: Set<Int64> = []) {
        overtaken.formUnion(standings.keys)
        let stopped = Set(standings.keys.filter { $0 <= last && stop($0) })
        for (number, standing) in standings where number <= last {
            let old = records[number]
            records[number] = standing?.record
            guard let (record, touch) = standing else {
                leave(number)
                continue
            }
            if let old, old.itemID != record.itemID || old.action != record.action || reordered.contains(number) {
                // An answer has given it another item or name, or another item to copy.
                let order = lanes.change(number, touching: touch) { running.contains($0) }
                for other in order.held { free.remove(other) }
                for other in order.free { insert(other) }
            } else if stopped.contains(number) {
                free.insert(record)
            } else {
                free.update(record)
            }
        }
    }

    // MARK: Beginning and ending

    /// Returns the next record that may begin, in the order of the commands.
    mutating func next(within budget: SyncBudget, where isMet: (WaitCondition) -> Bool) -> SyncRecord? {
        let number = free.first(of: running.sharesToBegin(within: budget)) { number in
            records[number]?.waits.allSatisfy(isMet) ?? false
        }
        return number.flatMap { records[$0] }
    }

    /// Returns when the first of the records that wait for a time after `now` may continue.
    func firstTime(after now: FileTime) -> FileTime? { free.firstTime(after: now) }

    /// Records that a record is in progress.
    mutating func begin(_ record: SyncRecord) {
        running.begin(record)
        free.remove(record.number)
    }

    /// Records that nothing is done for a record any more, so that it may begin again.
    ///
    /// - Parameter time: when it may, if not at once.
    mutating func end(_ number: Int64, until time: FileTime? = nil) {
        if let time { records[number]?.waits = [.time(time)] }
        if stop(number) { insert(number) }
    }

    /// Records that a record is no longer in progress; returns whether it was.
    private mutating func stop(_ number: Int64) -> Bool {
        guard running.remove(number) else { return false }
        // What a command has changed in it in the meantime still has to be applied.
        if changedOutside.contains(number) { hasNews = true }
        return true
    }

    /// Removes a record, and lets those after it pass.
    private mutating func leave(_ number: Int64) {
        free.remove(number)
        for follower in lanes.remove(number) { insert(follower) }
    }

    private mutating func insert(_ number: Int64) {
        if let record = records[number] { free.insert(record) }
    }
}
