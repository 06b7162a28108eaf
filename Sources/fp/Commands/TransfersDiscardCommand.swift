import ArgumentParser
import FileProviders

/// `fp transfers discard`.
struct TransfersDiscardCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Take away what interrupted copies left under temporary names, and forget them.",
        discussion: """
            A copy that left something that cannot be taken away now, since its server is away for example, is kept: it can be
            discarded again.

            Examples:
              fp transfers discard 3fa9
            """)

    @Argument(help: "The copies, as `fp transfers list` names them; their first letters are enough.")
    var ids: [String]

    @Flag(help: "Forget them without looking at their destinations, where parts of files may stay.")
    var force = false

    func run(in invocation: Invocation) async throws {
        let journals = TransferJournals(folder: invocation.environment.transfers)
        for id in ids {
            try await invocation.supervise {
                let transfer = try invocation.interruptedTransfer(id)
                if force { return try journals.forget(transfer.id) }
                if let refusal = try await refusal(of: transfer, in: journals, invocation) {
                    throw Refusal(
                        ShownName.escaped(id), "what it left may stay: \(refusal.reason)",
                        remedy: "`fp transfers discard --force \(transfer.id)` forgets it all the same",
                        isAboutAccess: refusal.isAboutAccess)
                }
            }
        }
    }

    /// Removes what a command left, and forgets it, reaching its destination as the command did. Its sources are not
    /// accessed.
    ///
    /// - Returns: why something stays, if so.
    /// - Throws: `CancellationError`.
    private func refusal(
        of transfer: TransferJournals.Unfinished, in journals: TransferJournals, _ invocation: Invocation
    ) async throws -> (reason: String, isAboutAccess: Bool)? {
        guard let begun = BegunCommand(note: transfer.note),
            let command = try? FP.parseAsRoot(begun.arguments) as? any TransferringCommand
        else { return ("this program does not know the command", false) }
        begun.enterFolder()
        let again = Invocation(
            command: Self.name, arguments: begun.arguments, environment: invocation.environment,
            options: command.access, folder: begun.folder)
        again.access.destinationSecrets = command.destinationSecrets
        command.sources.forEach(again.access.reserveSecrets)
        var targets: [Endpoint] = []
        do {
            try await again.attempt {
                targets = [try again.access.open(command.destination, as: .destination)]
                try await Transfer.discard(transfer.id, at: targets[0].provider, in: journals)
            }
            return nil
        } catch let error where !error.isCancellation {
            return (ErrorText.line(error, at: targets.place(of: error)), ErrorText.isAboutAccess(error))
        }
    }
}
