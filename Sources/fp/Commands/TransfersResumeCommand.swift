import ArgumentParser
import FileProviders

/// `fp transfers resume`.
struct TransfersResumeCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Run the command of an interrupted copy again, in its folder.",
        discussion: """
            Examples:
              fp transfers resume 3fa9
            """)

    @Argument(help: "The copy, as `fp transfers list` names it; its first letters are enough.")
    var id: String

    func run(in invocation: Invocation) async throws {
        try await invocation.supervise {
            let transfer = try invocation.interruptedTransfer(id)
            let id = transfer.id
            guard let command = BegunCommand(note: transfer.note) else {
                throw Refusal(id, "it is not known which command it was", isAboutAccess: false)
            }
            guard !command.readsStandardInput else {
                throw Refusal(
                    id, "it read standard input, which is gone", remedy: "`fp transfers discard \(id)` forgets it",
                    isAboutAccess: false)
            }
            invocation.messages.notice(command.text)
            try command.run()
        }
    }
}
