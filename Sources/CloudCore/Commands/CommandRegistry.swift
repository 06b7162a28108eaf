import FileProviding

/// Connects events with those who wait for commands in this run of the program.
final class CommandRegistry: Sendable {
    /// Works on commands while the closure waits for the end of one.
    typealias Work = @Sendable (_ wait: @escaping @Sendable () async throws -> Item) async throws -> Item

    private struct State {
        var commands: [EventID: PendingCommand] = [:]
        /// The commands that have been handed out to a caller.
        var handedOut: Set<EventID> = []
        var cancel: @Sendable (EventID) -> Void = { _ in }
        var work: Work = { try await $0() }
    }

    private let state = Locked(State())

    /// Sets what cancelling a command's progress does.
    func onCancel(_ cancel: @escaping @Sendable (EventID) -> Void) { state.withLock { $0.cancel = cancel } }

    /// Sets what is done while somebody waits for a command's end.
    func onWait(_ work: @escaping Work) { state.withLock { $0.work = work } }

    /// Returns the command with this identifier, the same object until it ends.
    func command(_ id: EventID) -> PendingCommand {
        state.withLock { state in
            if let command = state.commands[id] { return command }
            let command = PendingCommand(
                id: id, cancelling: { [weak self] id in self?.state.withLock { $0.cancel }(id) }, working: state.work)
            state.commands[id] = command
            return command
        }
    }

    /// Returns the same, for a caller that learns of the command's end through it.
    func handOut(_ id: EventID) -> PendingCommand {
        state.withLock { _ = $0.handedOut.insert(id) }
        return command(id)
    }

    /// Returns whether the command has been handed out to a caller who still has it.
    @Sendable func isAwaited(_ id: EventID) -> Bool {
        state.withLock { state in
            guard state.handedOut.contains(id), var command = state.commands.removeValue(forKey: id) else {
                return false
            }
            defer { state.commands[id] = command }
            return !isKnownUniquelyReferenced(&command)
        }
    }

    /// Resumes those who wait for a command, once, with its result.
    func finish(_ id: EventID, _ result: Result<Item, any Error>) {
        let command = state.withLock { state in
            state.handedOut.remove(id)
            return state.commands.removeValue(forKey: id)
        }
        command?.finish(result)
    }

    /// Resumes everybody who waits, since nothing will be done any more in this run of the program.
    func end() {
        let commands = state.withLock { state in
            defer { (state.commands, state.handedOut) = ([:], []) }
            return state.commands.values
        }
        for command in commands { command.finish(.failure(CancellationError())) }
    }
}
