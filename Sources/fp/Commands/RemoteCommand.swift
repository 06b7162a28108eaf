import ArgumentParser

/// `fp remote`.
struct RemoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Keep names for locations, with their passwords.",
        discussion: """
            The list is remotes.json in $XDG_CONFIG_HOME/fp (~/.config/fp), readable by its owner only. Secrets are sealed \
            in a file beside it, whose key is in that folder too: that keeps them out of backups that miss the key and \
            from casual eyes, but not from programs of the same user.

            Examples:
              fp remote add home davs://anna@cloud.example/remote.php/dav/files/anna
              fp remote test home
              fp ls home:photos
            """,
        subcommands: [
            RemoteAddCommand.self, RemoteListCommand.self, RemoteShowCommand.self, RemoteRemoveCommand.self,
            RemoteTestCommand.self,
        ])
}
