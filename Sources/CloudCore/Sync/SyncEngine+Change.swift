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
    @discardableResult
    func change(_ make: @escaping @Sendable (ItemWriter) throws -> SyncEffects) async throws -> SyncEffects {
        try await withCheckedThrowingContinuation { made in
            changes.append(WaitingChange(make: make, made: made))
            guard !isChanging else { return }
            isChanging = true
            Task { await makeChanges() }
        }
    }

    private func makeChanges() async {
        while let first = changes.first {
            let together = changes
            changes = []
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
        let (effects, standings, hasNewRecords) = try await vault.database.write { writer in
            let effects = try makes.map { try $0(writer) }
            let changed = effects.filter { !$0.holdUp }
            let ended = Set(changed.flatMap { $0.ended.map(\.record.number) })
            let others = Set(changed.flatMap(\.records)).subtracting(ended)
            var standings = try writer.reader.standings(of: others)
            for number in ended { standings[number] = .some(nil) }
            return (effects, standings, writer.hasNewRecords)
        }
        if isInOrder {
            takeOver(standings)
            if hasNewRecords { wake() }
        }
        return effects
    }
}
