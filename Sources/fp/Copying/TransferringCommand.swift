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
