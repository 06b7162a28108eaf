import FileProviding

/// Re-associates events with those who wait for commands in this run of the program.
final class CommandRegistry: Sendable {
    /// Works on commands while the closure waits for the end of one.
    typealias Work = @Sendable (_ wait: @escaping @Sendable () async throws -> Item) async throws -> Item

    private let commands = Locked<[EventID: PendingCommand]>([:])
    private let cancel = Locked<@Sendable (EventID) -> Void>({ _ in })
    private let work = Locked<Work>({ try await $0() })

    /// Sets what cancelling a command's progress does.
    func onCancel(_ cancel: @escaping @Sendable (EventID) -> Void) { self.cancel.withLock { $0 = cancel } }

    /// Sets what is done while somebody waits for a command's end.
    func onWait(_ work: @escaping Work) { self.work.withLock { $0 = work } }

    /// The command of this identifier, the same object until it ends.
    func command(_ id: EventID) -> PendingCommand {
        commands.withLock { commands in
            if let command = commands[id] { return command }
            let work = work.withLock { $0 }
            let command = PendingCommand(
                id: id, cancelling: { [weak self] id in self?.cancel.withLock { $0 }(id) }, working: work)
            commands[id] = command
            return command
        }
    }

    /// Tells those who wait how a command ended, once.
    func finish(_ id: EventID, _ result: Result<Item, any Error>) {
        commands.withLock { $0.removeValue(forKey: id) }?.finish(result)
    }
}
