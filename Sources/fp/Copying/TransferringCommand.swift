import FileProviders

/// A command that copies to a destination, and can be interrupted.
protocol TransferringCommand: InvokedCommand {
    /// Where things come from.
    var sources: [LocationArgument] { get }
    /// Where things go.
    var destination: LocationArgument { get }
    /// Secrets for the destination alone.
    var destinationSecrets: DestinationSecretOptions { get }
}

extension CopyCommand: TransferringCommand {
    var sources: [LocationArgument] { Array(locations.dropLast()) }
    var destination: LocationArgument { locations[locations.count - 1] }
}

extension MoveCommand: TransferringCommand {
    var sources: [LocationArgument] { Array(locations.dropLast()) }
    var destination: LocationArgument { locations[locations.count - 1] }
}

extension SyncCommand: TransferringCommand {
    var sources: [LocationArgument] { [source] }
}

extension Invocation {
    /// Says that a copy which was stopped can be gone on with, where it left something to go on with.
    func noteInterruption() {
        let note = BegunCommand(arguments).note
        guard let transfers = try? unfinishedTransfers, transfers.contains(where: { $0.note == note && !$0.isRunning })
        else { return }
        messages.notice("stopped; give the same command again to go on")
    }
}
