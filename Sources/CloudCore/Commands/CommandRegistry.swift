import FileProviding

/// Re-associates events with those who wait for commands in this run of the program.
final class CommandRegistry: Sendable {
    private let commands = Locked<[EventID: PendingCommand]>([:])
    private let cancel = Locked<@Sendable (EventID) -> Void>({ _ in })

    /// Sets what cancelling a command's progress does.
    func onCancel(_ cancel: @escaping @Sendable (EventID) -> Void) { self.cancel.withLock { $0 = cancel } }

    /// The command of this identifier, the same object until it ends.
    func command(_ id: EventID) -> PendingCommand {
        commands.withLock { commands in
            if let command = commands[id] { return command }
            let command = PendingCommand(id: id) { [weak self] id in self?.cancel.withLock { $0 }(id) }
            commands[id] = command
            return command
        }
    }

    /// Tells those who wait how a command ended, once.
    func finish(_ id: EventID, _ result: Result<Item, any Error>) {
        commands.withLock { $0.removeValue(forKey: id) }?.finish(result)
    }
}
