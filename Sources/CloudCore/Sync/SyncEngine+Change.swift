import FileProviding

/// The transactions that advance records.
extension SyncEngine {
    /// A change of records, and the task that waits for it.
    struct WaitingChange {
        /// What is done in the transaction; it is repeated when that fails because of another change.
        let make: @Sendable (ItemWriter) throws -> SyncEffects
        let made: CheckedContinuation<SyncEffects, any Error>
    }

    /// Changes records in a transaction, and updates their state here, unless something else has to be done first. Not
    /// interrupted when the task is cancelled.
    ///
    /// Changes that are requested while a transaction is in progress go into the next one together: the more there is
    /// to do, the less each costs.
    ///
    /// - Parameter isUrgent: whether the connection waits for it: if so, it comes before changes that only have to be
    ///   stored.
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

    /// The most changes that are not urgent made at a time, unless there are more urgent ones: what becomes urgent in
    /// the meantime waits for them, and their number must not grow.
    private static let portion = 64

    private func nextChanges() -> [WaitingChange] {
        let together = urgentChanges + changes.prefix(max(Self.portion, urgentChanges.count))
        changes.removeFirst(together.count - urgentChanges.count)
        urgentChanges = []
        return together
    }

    private func makeChanges() async {
        while true {
            // Those that were about to be requested at the same time come into the same transaction.
            await Task.yield()
            let together = nextChanges()
            guard let first = together.first else { break }
            do {
                let effects = try await write(together.map(\.make))
                for (change, effects) in zip(together, effects) { change.made.resume(returning: effects) }
            } catch  where together.count == 1 {
                first.made.resume(throwing: error)
            } catch {
                // Either one of them is not possible, or all are not.
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
            order.update(standings, reordered: reordered)
            if hasNewRecords { wake() }
        }
        return effects
    }
}
