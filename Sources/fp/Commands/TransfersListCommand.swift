import ArgumentParser
import FileProviders

/// `fp transfers list`.
struct TransfersListCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the copies that did not come to their end.",
        discussion: """
            Examples:
              fp transfers list
              fp transfers list --json
            """)

    @Flag(help: "Write one JSON object per copy.")
    var json = false

    func run(in invocation: Invocation) async throws {
        try await invocation.supervise {
            var table = TextTable([.left, .left, .left, .left, .left])
            for transfer in try invocation.unfinishedTransfers {
                let command = BegunCommand(note: transfer.note)
                let state = transfer.isRunning ? "running" : "interrupted"
                if json {
                    var line = JSONLine()
                    line.add("id", transfer.id)
                    line.add("begun", Timestamp.rfc3339(transfer.begun))
                    line.add("state", state)
                    if let command { line.add("folder", exact: ArgumentText.decode(command.folder)) }
                    line.add("command", command?.text)
                    try invocation.output.write(line.line)
                }
                table.add([
                    String(transfer.id.prefix(8)), Timestamp.minute(transfer.begun), state,
                    command?.shownFolder ?? "?", command?.text ?? "?",
                ])
            }
            if !json { try table.lines.forEach(invocation.output.line) }
        }
    }
}

extension Invocation {
    /// The transfers that have not finished.
    var unfinishedTransfers: [TransferJournals.Unfinished] {
        get throws { try TransferJournals(folder: environment.transfers).unfinished() }
    }

    /// Returns the interrupted transfer whose name begins with `prefix`.
    ///
    /// - Throws: ``Refusal`` when there is none, or more than one, or a process is running it.
    func interruptedTransfer(_ prefix: String) throws -> TransferJournals.Unfinished {
        let fitting = try unfinishedTransfers.filter { $0.id.hasPrefix(prefix.lowercased()) }
        let prefix = ShownName.escaped(prefix)
        guard let transfer = fitting.first, !prefix.isEmpty else {
            throw Refusal(prefix, "no interrupted copy begins so", remedy: "see `fp transfers list`")
        }
        guard fitting.count == 1 else { throw Refusal(prefix, "several copies begin so", isAboutAccess: false) }
        guard !transfer.isRunning else { throw Refusal(prefix, "it is running", isAboutAccess: false) }
        return transfer
    }
}
