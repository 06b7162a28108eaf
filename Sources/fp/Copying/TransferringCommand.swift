import FileProviders

/// A command that copies to a destination, and can be interrupted.
protocol TransferringCommand: InvokedCommand {
    /// The sources.
    var sources: [LocationArgument] { get }
    /// The destination.
    var destination: LocationArgument { get }
    /// Secrets for the destination only.
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
    /// Reports that an interrupted copy can be continued, if it left something to continue.
    func noteInterruption() {
        let command = BegunCommand(arguments)
        guard !command.readsStandardInput, let transfers = try? unfinishedTransfers,
            transfers.contains(where: { $0.note == command.note && !$0.isRunning })
        else { return }
        messages.notice("stopped; give the same command again to go on")
    }
}
