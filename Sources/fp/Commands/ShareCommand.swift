import ArgumentParser
import FileProviders

/// `fp share`.
struct ShareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share files and folders: by a link that anyone can open, or with people and groups.",
        discussion: """
            Examples:
              fp share davs://anna@cloud.example/photos/a.jpg
              fp share link --expires 2027-06-30 --link-password-file pass.txt cloud:report.odt
              fp share with --allow read,update cloud:project maria
              fp share list cloud:project
              fp share end cloud:project ID
            """,
        subcommands: [
            ShareLinkCommand.self, ShareWithCommand.self, ShareListCommand.self, ShareFindCommand.self,
            ShareEndCommand.self,
        ],
        defaultSubcommand: ShareLinkCommand.self)
}

extension Endpoint {
    /// Returns the provider as one that manages shares.
    func shares() throws -> any ShareProvider { try capability(.sharing, as: (any ShareProvider).self) }
}
