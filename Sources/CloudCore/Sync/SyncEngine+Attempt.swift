import FileProviding
import Foundation

/// One attempt at a record, and the processing of its outcome.
extension SyncEngine {
    /// Begins an attempt at a record. Its end comes as an event.
    ///
    /// - Parameter worker: the number of the task that makes the attempt.
    func attempt(_ number: Int64, _ id: EventID, by worker: Int) async {
        guard !Task.isCancelled else { return order.end(number) }
        do {
            // What could not be stored may be what this record waits for.
            if hasQueuedEvents, let trouble = try await applyEvents()[id] { throw trouble }
            let (none, cancelled) = (noEffects, cancelled)
            let effects = try await change(isUrgent: true) {
                try $0.schedule(number, none, id: id, cancelled: cancelled)
            }
            if let (operation, record) = effects.begun {
                if await room(for: record) {
                    await perform(operation, record, by: worker)
                } else {
                    await receive(
                        address(of: record).event(.failed(EventFailure(CancellationError()))), about: record)
                }
            } else {
                try await carryOut(effects)
            }
        } catch {
            await postpone(number, error)
        }
    }

    private func perform(_ operation: ConnectionOperation, _ record: SyncRecord, by worker: Int) async {
        let counter = commands.command(record.id).counter(from: record.completed, of: record.total)
        let target = EventTarget(address(of: record)) { event in
            var record = record
            if case .failed = event.outcome { record.completed = await self.transferred(record) }
            await self.end(record, with: event)
        }
        let task = workers.tasks[worker]
        order.running.advance(record.number, to: .performing(task, attempt: record.attempts))
        if cancelled.contains(record.id) { task?.cancel() }
        await connection.perform(operation, counting: counter, for: target)
        noteEnding(of: record)
    }

    /// Returns how many bytes of a transfer another attempt does not have to transfer again.
    private func transferred(_ record: SyncRecord) -> Int64 {
        guard record.isContinuable else { return 0 }
        let arrival = record.kind == .download ? vault.arrival(of: record.id) : nil
        return connection.transferred(journal: vault.journal(of: record.id), arrival: arrival)
    }

    /// Accepts the outcome of an attempt. The connection has finished with it.
    private func end(_ record: SyncRecord, with event: Event) async {
        noteEnding(of: record)
        await receive(event, about: record)
    }

    /// Records that the connection has finished with a record, and lets others begin.
    private func noteEnding(of record: SyncRecord) {
        guard case .performing(_, record.attempts) = order.running[record.number] else { return }
        order.running.advance(record.number, to: .ending)
        goOn()
    }

    private func address(of record: SyncRecord) -> EventTarget.Address {
        EventTarget.Address(eventID: record.id, attempt: record.attempts, handler: handler)
    }

    /// Postpones a record about which the database could not be updated, for example because of a full disk.
    private func postpone(_ number: Int64, _ error: any Error) async {
        await note(trouble: error)
        order.end(number, until: error.isCancellation ? nil : vault.clock().later(bySeconds: 5))
        goOn()
    }

    private func note(trouble: any Error) async {
        if trouble.isCancellation { return }
        _ = await issueBoard.note(trouble)
        logger.error("a command could not be advanced", metadata: ["error": "\(trouble.localizedDescription)"])
    }

    // MARK: Events

    /// Accepts the event of an attempt and acts on it, in one transaction; if that is not possible, it is kept until it
    /// is. If it cannot even be kept, the next attempt finds out what this one has done.
    func receive(_ event: Event, about record: SyncRecord) async {
        do {
            let (none, cancelled) = (noEffects, cancelled)
            try await carryOut(
                try await change { writer in
                    // Nothing else changes a record while its attempt is awaited.
                    try writer.act(on: event, about: record, cancelled: cancelled, none)
                })
        } catch {
            try? await keep(event)
            hasQueuedEvents = true
            return await postpone(record.number, error)
        }
        // The record has been processed: what fails from here on is about others.
        if hasQueuedEvents { do { try await applyEvents() } catch { await note(trouble: error) } }
    }

    /// Puts an event into the queue.
    func keep(_ event: Event) async throws {
        let none = noEffects
        try await change { writer in
            try writer.queue(event)
            return none
        }
    }

    /// The effects that a transaction begins with: who learns of what, as things are.
    private var noEffects: SyncEffects {
        SyncEffects(vault: vault, isAwaited: commands.isAwaited, isOnline: status == .online)
    }

    /// Acts on the events that were kept, each in the transaction that removes it from the queue. An event that cannot
    /// be acted on, for example because its file cannot be stored, stays and does not hold up the others.
    ///
    /// - Returns: the commands whose events stay, and why.
    @discardableResult
    func applyEvents() async throws -> [EventID: any Error] {
        var left: [EventID: any Error] = [:]
        var last: Int64 = 0
        while let (number, event) = try await vault.database.read({ [last] in try $0.nextEvent(after: last) }) {
            last = number
            let (none, cancelled) = (noEffects, cancelled)
            do {
                try await carryOut(
                    try await change { writer in
                        // Somebody else may have acted on it in the meantime.
                        guard try writer.reader.nextEvent(after: number - 1)?.number == number else {
                            return none
                        }
                        try writer.forgetEvent(number)
                        return try writer.act(on: event, cancelled: cancelled, none)
                    })
            } catch  where !error.isCancellation { left[event.id] = error }
        }
        hasQueuedEvents = !left.isEmpty
        return left
    }

    /// Does what follows from a transaction.
    func carryOut(_ effects: SyncEffects) async throws {
        for copy in effects.released { try? vault.remove(copy) }
        for (record, result) in effects.ended {
            // A transfer that is small now may have been large at an earlier attempt.
            if record.isContinuable || record.attempts > 1 { forgetTransfer(of: record, after: result) }
            cancelled.remove(record.id)
        }
        if effects.hasAnswer { await note(.online) }
        if let failure = effects.failure {
            await note(failure)
            if failure.meaning == .hindered, let code = (failure.error as? CocoaError)?.code {
                _ = await issueBoard.note(cocoaError(vault.folder, code: code, reason: failure.text))
            }
        }
        for directory in effects.outdated { try? await discovery.refresh(directory) }
        if effects.isSearchedForEverywhere { _ = try? await discovery.scan(budget: 0) }
        if effects.holdUp, isInOrder {
            let numbers = effects.records
            let standings = try await vault.database.read { try $0.standings(of: numbers) }
            order.update(standings)
        }
        for (record, result) in effects.ended { commands.finish(record.id, result) }
        goOn()
    }
}

extension ItemWriter {
    /// Completes or fails the record that an event is about, if it awaits exactly that event.
    func act(on event: Event, cancelled: Set<EventID>, _ effects: SyncEffects) throws -> SyncEffects {
        guard let record = try reader.record(event.id) else { return effects }
        return try act(on: event, about: record, cancelled: cancelled, effects)
    }

    /// - Parameter record: the record when the attempt began.
    fileprivate func act(
        on event: Event, about record: SyncRecord, cancelled: Set<EventID>, _ effects: SyncEffects
    ) throws -> SyncEffects {
        var effects = effects
        switch event.outcome {
        case .done(let result):
            guard try removeRecord(record.number, awaiting: event.attempt) else { break }
            effects.hasAnswer = true
            if record.kind == .download { try effects.takeArrival(record, reader) }
            try complete(record, result, &effects)
        case .failed(let failure):
            guard try reader.awaits(event.attempt, at: record.number) else { break }
            try fail(record, failure, isCancelled: cancelled.contains(record.id), &effects)
        }
        return effects
    }
}

extension SyncEffects {
    /// Turns a file that has arrived into a copy of the vault's; it is fine if an earlier try has done so already.
    func takeArrival(_ record: SyncRecord, _ reader: ItemReader) throws {
        guard let name = try reader.item(record.itemID)?.itemName else { return }
        let copy = LocalCopy(arrivingFor: record, named: name)
        let part = vault.arrival(of: record.id)
        if Folder.exists(part) { try vault.store(part, as: copy) }
    }
}
