import ArgumentParser
import FileProviders
import Foundation

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

/// `fp share link`, and `fp share` alone.
struct ShareLinkCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Print a link that anyone can open; without options, one that exists is used again.",
        discussion: """
            Examples:
              fp share cloud:photos/a.jpg
              fp share link --expires 2027-06-30 --link-password-file pass.txt cloud:report.odt
            """)

    @Argument(help: "Files or folders on a storage that can share.")
    var locations: [LocationArgument]

    @Option(help: ArgumentHelp("The last day of the link.", valueName: "YYYY-MM-DD"))
    var expires: ShareDay?

    @Option(help: "A name for the link.")
    var name: String?

    @Option(
        help: "The file of the password that opens the link; its first line counts.", completion: .file())
    var linkPasswordFile: PathArgument?

    @Option(help: ShareAllowance.help)
    var allow: ShareAllowance?

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        let isPlain = expires == nil && name == nil && linkPasswordFile == nil && allow == nil
        var draft = ShareDraft(receiver: Sharee(kind: .link), permissions: allow?.permissions ?? .read)
        draft.expiration = expires?.date
        draft.name = name
        draft.password = try linkPasswordFile.map { try SecretFile($0.path, holding: "link's password").firstLine() }
        try await invocation.forEach(locations) { [draft] endpoint in
            if isPlain {
                let provider = try endpoint.capability(.sharing, as: (any FileProviderSharing).self)
                return try invocation.output.line(
                    try await provider.publicLink(to: endpoint.path).url.absoluteString)
            }
            let share = try await endpoint.shares().createShare(of: endpoint.path, draft)
            try invocation.output.line(share.url?.absoluteString ?? share.id)
        }
    }
}

/// `fp share with`.
struct ShareWithCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "with",
        abstract: "Share an item with people, or with groups.",
        discussion: """
            Examples:
              fp share with --allow read,update cloud:project maria
            """)

    @Argument(help: "A file or folder on a storage that can share.")
    var location: LocationArgument

    @Argument(help: "People, as `fp share find` names them.")
    var receivers: [String]

    @Flag(help: "They are groups.")
    var group = false

    @Option(help: ArgumentHelp("The last day.", valueName: "YYYY-MM-DD"))
    var expires: ShareDay?

    @Option(help: ShareAllowance.help)
    var allow: ShareAllowance?

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.shares()
            for receiver in receivers {
                let draft = ShareDraft(
                    receiver: Sharee(kind: group ? .group : .user, id: receiver), permissions: allow?.permissions,
                    expiration: expires?.date)
                try invocation.output.line(try await provider.createShare(of: endpoint.path, draft).id)
            }
        }
    }
}

/// `fp share find`.
struct ShareFindCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find people and groups that an item can be shared with.",
        discussion: """
            Examples:
              fp share find cloud:project mar
            """)

    @Argument(help: "A file or folder on a storage that can share.")
    var location: LocationArgument

    @Argument(help: "A part of the name.")
    var text: String

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            var table = TextTable([.left, .left, .left])
            for sharee in try await endpoint.shares().sharees(matching: text, for: endpoint.path) {
                table.add([sharee.kind.rawValue, ShownName.escaped(sharee.id), ShownName.escaped(sharee.displayName)])
            }
            try table.lines.forEach(invocation.output.line)
        }
    }
}

/// `fp share end`.
struct ShareEndCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End shares of an item.",
        discussion: """
            Examples:
              fp share end cloud:project ID
            """)

    @Argument(help: "The shared file or folder.")
    var location: LocationArgument

    @Argument(help: "The shares, as `fp share list` names them.")
    var ids: [String]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.shares()
            let shares = try await provider.shares(of: endpoint.path)
            for id in ids {
                guard let share = shares.first(where: { $0.id == id }) else {
                    throw Refusal(
                        ShownName.escaped(id), "no such share of this item", remedy: "see `fp share list`",
                        isAboutAccess: false)
                }
                try await provider.removeShare(share)
            }
        }
    }
}

extension Endpoint {
    /// Returns the provider as one that manages shares.
    func shares() throws -> any ShareProvider { try capability(.sharing, as: (any ShareProvider).self) }
}
