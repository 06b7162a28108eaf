import ArgumentParser
import FileProviders

/// `fp transfers discard`.
struct TransfersDiscardCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Take away what interrupted copies left under temporary names, and forget them.",
        discussion: """
            A copy is forgotten in any case; what could not be taken away at its destination is an error.

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
                guard !force, let begun = BegunCommand(note: transfer.note) else {
                    return try journals.forget(transfer.id)
                }
                if let failure = try await leftovers(transfer.id, of: begun, in: journals, invocation) {
                    try journals.forget(transfer.id)
                    throw Refusal(
                        ShownName.escaped(id), "it is forgotten, but what it left may stay: \(failure)",
                        isAboutAccess: false)
                }
            }
        }
    }

    /// Removes what a command left, reaching its destination as the command did. Its sources are not accessed.
    ///
    /// - Returns: what stays, and why.
    /// - Throws: `CancellationError`.
    private func leftovers(
        _ id: String, of begun: BegunCommand, in journals: TransferJournals, _ invocation: Invocation
    ) async throws -> String? {
        guard let command = try? FP.parseAsRoot(begun.arguments) as? any TransferringCommand else {
            return "this program does not know the command \(begun.text)"
        }
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
                try await Transfer.discard(id, at: targets[0].provider, in: journals)
            }
            return nil
        } catch let error where !error.isCancellation {
            return ErrorText.line(error, at: targets.place(of: error))
        }
    }
}
