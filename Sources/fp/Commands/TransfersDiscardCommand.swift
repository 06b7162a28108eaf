import ArgumentParser
import FileProviders

/// `fp transfers discard`.
struct TransfersDiscardCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Take away what an interrupted copy left under temporary names, and forget it.")

    @Argument(help: "The copy, as `fp transfers list` names it; its first letters are enough.")
    var id: String

    @Flag(help: "Forget it without looking at its destination, where parts of files may stay.")
    var force = false

    func run(in invocation: Invocation) async throws {
        try await invocation.supervise {
            let transfer = try invocation.interruptedTransfer(id)
            if !force, let command = BegunCommand(note: transfer.note) {
                try command.run(adding: ["--discard-interrupted"])
            }
            try TransferJournals(folder: invocation.environment.transfers).forget(transfer.id)
        }
    }
}
