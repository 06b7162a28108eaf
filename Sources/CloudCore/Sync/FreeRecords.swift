import FileProviding

/// The records that have no other before them, by kind and in order: the next one is found without looking at those that the
/// budget holds back.
struct FreeRecords: Sendable {
    private var numbers: [SyncRecord.Kind: [Int64]] = [:]
    private var kinds: [Int64: SyncRecord.Kind] = [:]
    private var times: [Int64: FileTime] = [:]

    /// When the first of those that wait for a time behind `now` may go on.
    func firstTime(after now: FileTime) -> FileTime? { times.values.filter { $0 > now }.min() }

    /// Adds a record.
    mutating func insert(_ record: SyncRecord) {
        guard kinds[record.number] == nil else { return update(record) }
        kinds[record.number] = record.kind
        var list = numbers.removeValue(forKey: record.kind) ?? []
        list.insert(record.number, at: Self.position(of: record.number, in: list))
        numbers[record.kind] = list
        update(record)
    }

    /// Takes over what a record waits for; one that is not here stays away.
    mutating func update(_ record: SyncRecord) {
        guard kinds[record.number] != nil else { return }
        let waits = record.waits.compactMap { wait in if case .time(let time) = wait { time } else { nil } }
        times[record.number] = waits.max()
    }

    /// Takes a record out; none is fine.
    mutating func remove(_ number: Int64) {
        guard let kind = kinds.removeValue(forKey: number), var list = numbers.removeValue(forKey: kind) else { return }
        times[number] = nil
        list.remove(at: Self.position(of: number, in: list))
        numbers[kind] = list
    }

    /// The first record of these kinds for which `isReady` says yes.
    func first(of kinds: [SyncRecord.Kind], where isReady: (Int64) -> Bool) -> Int64? {
        kinds.compactMap { numbers[$0]?.first(where: isReady) }.min()
    }

    /// Where a number is in a sorted list, or belongs.
    private static func position(of number: Int64, in list: [Int64]) -> Int {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = list[middle] < number ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
