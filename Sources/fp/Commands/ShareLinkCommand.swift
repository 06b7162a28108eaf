import ArgumentParser
import FileProviders
import Foundation

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
