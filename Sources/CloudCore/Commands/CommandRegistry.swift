import FileProviding

/// Re-associates events with those who wait for commands in this run of the program.
final class CommandRegistry: Sendable {
    /// Works on commands while the closure waits for the end of one.
    typealias Work = @Sendable (_ wait: @escaping @Sendable () async throws -> Item) async throws -> Item

    private struct State {
        var commands: [EventID: PendingCommand] = [:]
        /// Those that somebody has been given.
        var handedOut: Set<EventID> = []
        var cancel: @Sendable (EventID) -> Void = { _ in }
        var work: Work = { try await $0() }
    }

    private let state = Locked(State())

    /// Sets what cancelling a command's progress does.
    func onCancel(_ cancel: @escaping @Sendable (EventID) -> Void) { state.withLock { $0.cancel = cancel } }

    /// Sets what is done while somebody waits for a command's end.
    func onWait(_ work: @escaping Work) { state.withLock { $0.work = work } }

    /// The command of this identifier, the same object until it ends.
    func command(_ id: EventID) -> PendingCommand {
        state.withLock { state in
            if let command = state.commands[id] { return command }
            let command = PendingCommand(
                id: id, cancelling: { [weak self] id in self?.state.withLock { $0.cancel }(id) }, working: state.work)
            state.commands[id] = command
            return command
        }
    }

    /// The same, for somebody who learns of the command's end by it.
    func handOut(_ id: EventID) -> PendingCommand {
        state.withLock { _ = $0.handedOut.insert(id) }
        return command(id)
    }

    /// Whether somebody has been given the command.
    @Sendable func isAwaited(_ id: EventID) -> Bool { state.withLock { $0.handedOut.contains(id) } }

    /// Tells those who wait how a command ended, once.
    func finish(_ id: EventID, _ result: Result<Item, any Error>) {
        let command = state.withLock { state in
            state.handedOut.remove(id)
            return state.commands.removeValue(forKey: id)
        }
        command?.finish(result)
    }
}
