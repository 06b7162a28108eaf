import FileProviding

extension Core {
    /// Brings the vault's commands to the server until nothing can go on: everything is done, or waits for the network, a
    /// later time or a person's answer; see ``syncRecords()`` for what is left.
    ///
    /// - Parameter patience: what goes on by itself within this time, in whole seconds and ten minutes at most, is waited for:
    ///   another attempt at what an overloaded server has put off, or at what a killed program has left, two seconds later.
    /// - Throws: what the database throws. What the server refuses ends commands or becomes issues.
    public func settle(waiting patience: Duration = .zero) async throws {
        try await engine.settle(waiting: patience)
        try await pump.follow()
    }

    /// Ends a command: what it has changed here is taken back. One that the connection is at ends when that has stopped;
    /// what the server has done by then stays done. Contents that only the vault has go to its recovery folder.
    public func cancel(_ id: EventID) async throws {
        try await engine.cancel(id)
        try await pump.follow()
    }

    /// Takes over the outcome of an operation that a connection reports late, from another run of the program too. One that
    /// nobody awaits any more is not acted on.
    ///
    /// - Throws: what the database throws: then the outcome has not been taken over.
    public func receive(_ event: Event) async throws { try await engine.take(event) }
}

extension SyncEngine {
    /// Ends a command.
    func cancel(_ id: EventID) async throws {
        cancelled.insert(id)
        let vault = vault
        let attempts = try await vault.database.read { try $0.record(id)?.attempts }
        // Nobody is at what was under way when a program ended.
        let left = isInOrder ? nil : attempts
        let effects = try await change { writer in
            var effects = SyncEffects(vault: vault)
            guard var record = try writer.reader.record(id), record.phase == .ready || record.attempts == left
            else { return effects }
            record.isDoubtful = record.isDoubtful || record.phase == .running
            try writer.giveUp(record, EventFailure(CancellationError()), &effects)
            return effects
        }
        if !effects.ended.isEmpty { return try await carryOut(effects) }
        guard let number = records.values.first(where: { $0.id == id })?.number else {
            cancelled.remove(id)
            return
        }
        callOff(number)
        if case .performing(let task, _) = running[number] { task?.cancel() }
    }

    /// Queues an event that comes from outside, and acts on it.
    func take(_ event: Event) async throws {
        try await keep(event)
        if let trouble = try await applyEvents()[event.id] { throw trouble }
    }
}
