import ArgumentParser

/// `fp vault`.
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Keep what a remote has on this machine.",
        discussion: """
            A vault knows every item of a saved remote, also while the server is away, and asks before it gives up what \
            the server has lost. It lies in $XDG_DATA_HOME/fp (~/.local/share/fp), readable by its owner only, and is \
            open in one program at a time.

            Examples:
              fp vault open cloud
              fp vault ls -l cloud:photos
              fp vault sync cloud
              fp vault conflicts cloud
              fp vault resolve cloud items-vanished keep-local
            """,
        subcommands: [
            VaultOpenCommand.self, VaultStatusCommand.self, VaultListCommand.self, VaultSyncCommand.self,
            VaultConflictsCommand.self, VaultResolveCommand.self, VaultEraseCommand.self,
        ])
}
