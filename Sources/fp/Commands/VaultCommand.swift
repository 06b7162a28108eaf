import ArgumentParser

/// `fp vault`.
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Keep what a remote has on this machine.",
        discussion: """
            A vault knows every item of a saved remote, also while the server is away. Changes are kept in it and sent when \
            the server can be reached, and it asks before it gives up anything that someone may miss. It lies in $XDG_DATA_HOME/fp (~/.local/share/fp), readable by its owner only, and is \
            open in one program at a time.

            Examples:
              fp vault open cloud
              fp vault ls -l cloud:photos
              fp vault put report.odt cloud:work/
              fp vault pin cloud:photos/2026
              fp vault sync cloud
              fp vault conflicts cloud
              fp vault resolve cloud items-vanished keep-local
            """,
        subcommands: [
            VaultOpenCommand.self, VaultStatusCommand.self, VaultListCommand.self, VaultGetCommand.self,
            VaultPutCommand.self, VaultMakeDirectoryCommand.self, VaultMoveCommand.self, VaultRemoveCommand.self,
            VaultPinCommand.self, VaultUnpinCommand.self, VaultSyncCommand.self, VaultConflictsCommand.self,
            VaultResolveCommand.self, VaultEraseCommand.self,
        ])
}
