import ArgumentParser

/// `fp transfers`.
struct TransfersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "Continue or give up interrupted copies.",
        discussion: """
            A copy that was interrupted is continued by giving the same command again, or here: what has arrived is not \
            sent again, except the beginnings of files of less than 8 MiB. What it needs to know is kept in \
            $XDG_STATE_HOME/fp/transfers (~/.local/state/fp/transfers), readable by its owner only.

            Examples:
              fp transfers list
              fp transfers resume 3f2a
              fp transfers discard 3f2a
            """,
        subcommands: [TransfersListCommand.self, TransfersResumeCommand.self, TransfersDiscardCommand.self])
}
