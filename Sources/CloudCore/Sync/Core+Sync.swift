import FileProviding

extension Core {
    /// Sends the vault's commands to the server until none can continue: each is done, or waits for the network, a
    /// later time or a user's answer; see ``syncRecords()`` for what is left. While the server counts as unavailable,
    /// nothing is sent, and this returns at once: ``reconnect()`` looks whether it is back.
    ///
    /// - Parameter patience: commands that will continue by themselves within this time, in whole seconds and ten
    ///   minutes at most, are waited for: another attempt at what an overloaded server has postponed, or, two seconds
    ///   later, at what a killed program has left.
    /// - Throws: what the database throws. A refusal by the server ends its command or becomes an issue.
    public func settle(waiting patience: Duration = .zero) async throws {
        try await engine.settle(waiting: patience)
        try await pump.follow()
    }

    /// Cancels a command: its local changes are undone. A command that the connection is carrying out ends when that
    /// has stopped; what the server has done by then stays done. Contents that only the vault has are moved to its
    /// recovery folder.
    public func cancel(_ id: EventID) async throws {
        try await engine.cancel(id)
        try await pump.follow()
    }

    /// Accepts the outcome of an operation that a connection reports late, even one from another run of the program. An
    /// outcome that is no longer awaited is ignored.
    ///
    /// - Throws: what the database throws: then the outcome has not been accepted.
    public func receive(_ event: Event) async throws { try await engine.take(event) }

    /// The identifier of the handler in each ``EventTarget/Address`` of this vault: a connection that has stored an
    /// address finds by it which core is to ``receive(_:)`` the outcome.
    public var eventHandler: EventHandlerIdentifier { engine.handler }
}

extension SyncEngine {
    /// Cancels a command.
    ///
    /// - Parameter isUnwanted: says whether it is still to be cancelled when that is decided.
    func cancel(
        _ id: EventID, if isUnwanted: @escaping @Sendable (ItemReader) throws -> Bool = { _ in true }
    ) async throws {
        let vault = vault
        guard try await vault.database.read(isUnwanted) else { return }
        let isFirst = cancelled.insert(id).inserted
        var isStopped = false
        defer { if isFirst, !isStopped { cancelled.remove(id) } }
        isStopped = try await stop(id, if: isUnwanted)
    }

    /// Ends a command, or calls off the attempt at it that is under way; returns whether there was either.
    private func stop(
        _ id: EventID, if isUnwanted: @escaping @Sendable (ItemReader) throws -> Bool
    ) async throws -> Bool {
        let vault = vault
        let attempts = try await vault.database.read { try $0.record(id)?.attempts }
        // Nobody is carrying out what was in progress when a program ended.
        let left = isInOrder ? nil : attempts
        let effects = try await change { writer in
            var effects = SyncEffects(vault: vault)
            guard try isUnwanted(writer.reader) else { return effects }
            guard var record = try writer.reader.record(id), record.phase == .ready || record.attempts == left
            else { return effects }
            record.isDoubtful = record.isDoubtful || record.phase == .running
            try writer.giveUp(record, EventFailure(CancellationError()), &effects)
            return effects
        }
        if !effects.ended.isEmpty {
            try await carryOut(effects)
            return true
        }
        guard try await vault.database.read(isUnwanted), let number = order.number(of: id) else { return false }
        callOff(number)
        if case .performing(let task, _) = order.running[number] { task?.cancel() }
        return true
    }

    /// Queues an event that comes from outside, and acts on it.
    func take(_ event: Event) async throws {
        try await keep(event)
        if let trouble = try await applyEvents()[event.id] { throw trouble }
    }
}
