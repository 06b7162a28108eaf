import FileProviding

/// The transactions that advance records.
extension SyncEngine {
    /// A change of records, and who waits for it.
    struct WaitingChange {
        let make: @Sendable (ItemWriter) throws -> SyncEffects
        let made: CheckedContinuation<SyncEffects, any Error>
    }

    /// Changes records in a transaction, and takes over how they stand then, unless something else has to be done before.
    /// Not cut off when the task is cancelled.
    ///
    /// What comes up while a transaction is under way goes into the next one together: the more there is to do, the less
    /// each costs.
    ///
    /// - Parameter isUrgent: whether the connection waits for it: then it comes before what is only to be written down.
    @discardableResult
    func change(
        isUrgent: Bool = false, _ make: @escaping @Sendable (ItemWriter) throws -> SyncEffects
    ) async throws -> SyncEffects {
        try await withCheckedThrowingContinuation { made in
            let change = WaitingChange(make: make, made: made)
            if isUrgent { urgentChanges.append(change) } else { changes.append(change) }
            guard !isChanging else { return }
            isChanging = true
            Task { await makeChanges() }
        }
    }

    /// How many changes that are not urgent are made at a time, or as many as are urgent: what becomes urgent meanwhile waits
    /// for them, and they are not to become more and more.
    private static let portion = 64

    private func nextChanges() -> [WaitingChange] {
        let together = urgentChanges + changes.prefix(max(Self.portion, urgentChanges.count))
        changes.removeFirst(together.count - urgentChanges.count)
        urgentChanges = []
        return together
    }

    private func makeChanges() async {
        while true {
            let together = nextChanges()
            guard let first = together.first else { break }
            do {
                let effects = try await write(together.map(\.make))
                for (change, effects) in zip(together, effects) { change.made.resume(returning: effects) }
            } catch  where together.count == 1 {
                first.made.resume(throwing: error)
            } catch {
                // One of them cannot be, or all.
                for change in together {
                    do {
                        change.made.resume(returning: try await write([change.make])[0])
                    } catch {
                        change.made.resume(throwing: error)
                    }
                }
            }
        }
        isChanging = false
    }

    private func write(_ makes: [@Sendable (ItemWriter) throws -> SyncEffects]) async throws -> [SyncEffects] {
        let (effects, standings, reordered, hasNewRecords) = try await vault.database.write { writer in
            let effects = try makes.map { try $0(writer) }
            let changed = effects.filter { !$0.holdUp }
            let ended = Set(changed.flatMap { $0.ended.map(\.record.number) }).subtracting(changed.flatMap(\.reused))
            let others = Set(changed.flatMap(\.records)).subtracting(ended)
            var standings = try writer.reader.standings(of: others)
            for number in ended { standings[number] = .some(nil) }
            return (effects, standings, Set(changed.flatMap(\.reordered)), writer.hasNewRecords)
        }
        if isInOrder {
            takeOver(standings, reordered: reordered)
            if hasNewRecords { wake() }
        }
        return effects
    }
}
