import ArgumentParser
import Foundation

/// The command line of this package: files anywhere, used like local ones.
@main
struct FP: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fp",
        abstract: "Copy, list and watch files on this machine and on servers alike.",
        discussion: """
            A location is a local path, a URL, or a saved remote:
              photos/2026                 a path on this machine
              davs://anna@host/dav/x      WebDAV over TLS (dav:// without), ownCloud, Nextcloud, OpenCloud
              sftp://anna@host/x          a server reached over SSH (/~/x is below the home folder)
              gallery+https://host/x      a gallery of images, to read
              mem:NAME/x                  memory, for trying things out
              home:x                      the remote saved by `fp remote add home …`

            Exit status: 0 all done, 1 something failed, 2 nothing was done (location, authentication, connection), \
            64 usage, 130 or 143 stopped by a signal.
            """,
        version: "0.1.0",
        groupedSubcommands: groups)

    private static let groups = [
        CommandGroup(
            name: "Look",
            subcommands: [
                ListCommand.self, TreeCommand.self, StatCommand.self, CatCommand.self, DiskUsageCommand.self,
                DiskFreeCommand.self, FindCommand.self, HashCommand.self, WatchCommand.self,
            ]),
        CommandGroup(
            name: "Change",
            subcommands: [
                CopyCommand.self, MoveCommand.self, SyncCommand.self, RemoveCommand.self, MakeDirectoryCommand.self,
                LinkCommand.self,
                TouchCommand.self, TrashCommand.self, TransfersCommand.self,
            ]),
        CommandGroup(
            name: "Ask the server",
            subcommands: [ShareCommand.self, VersionsCommand.self, ThumbnailCommand.self, InfoCommand.self]),
        CommandGroup(
            name: "Set up",
            subcommands: [RemoteCommand.self, VaultCommand.self, ProvidersCommand.self, CompletionCommand.self]),
    ]

    /// Returns the words of a command's name: `remote`, `add`.
    static func words(of command: any ParsableCommand.Type) -> [String] {
        let parent = configuration.subcommands.first { $0.configuration.subcommands.contains { $0 == command } }
        return [parent, command].compactMap { $0?._commandName }
    }

    /// Returns the word in place of a command's name, if arguments begin with one that is none.
    static func unknownWord(beginning arguments: [String]) -> String? {
        let words = words(beginning: arguments)
        let group = words.reduce(FP.self as any ParsableCommand.Type) { group, word in
            group.configuration.subcommands.first { $0._commandName == word } ?? group
        }
        guard !group.configuration.subcommands.isEmpty else { return nil }
        return arguments.dropFirst(words.count).first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    }

    /// Returns the words at the beginning of arguments that name a command.
    static func words(beginning arguments: [String]) -> [String] {
        var command: any ParsableCommand.Type = FP.self
        return Array(
            arguments.prefix { word in
                guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
                    return false
                }
                command = next
                return true
            })
    }

    static func main() async {
        StandardFiles.open()
        Signals.ignoreClosedPipes()
        let arguments = ArgumentText.process
        let work = Task { await Program.run(arguments, environment: .process) }
        let signals = Signals { work.cancel() }
        let status = await work.value
        Foundation.exit(signals.first.map(ExitStatus.stopped) ?? status)
    }
}
