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
                guard !force else { return try journals.forget(transfer.id) }
                try await discard(transfer, in: journals, invocation)
            }
        }
    }

    /// Removes what a command left, and forgets it, reaching its destination as the command did. Its sources are not
    /// accessed.
    ///
    /// - Throws: ``Refusal`` when something stays; `CancellationError`.
    private func discard(
        _ transfer: TransferJournals.Unfinished, in journals: TransferJournals, _ invocation: Invocation
    ) async throws {
        func staying(_ reason: String, isAboutAccess: Bool = false) -> Refusal {
            Refusal(
                transfer.id, "what it left may stay: \(reason)",
                remedy: "`fp transfers discard --force \(transfer.id)` forgets it all the same",
                isAboutAccess: isAboutAccess)
        }
        guard let begun = BegunCommand(note: transfer.note),
            let command = try? FP.parseAsRoot(begun.arguments) as? any TransferringCommand
        else { throw staying("this program does not know the command") }
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
        } catch let error where !error.isCancellation {
            throw staying(
                ErrorText.line(error, at: targets.place(of: error)), isAboutAccess: ErrorText.isAboutAccess(error))
        }
    }
}
