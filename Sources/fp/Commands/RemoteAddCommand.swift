import ArgumentParser
import FileProviders
import Foundation

/// `fp remote add`.
struct RemoteAddCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Save a location under a name.",
        discussion: """
            Nothing is connected; `fp remote test` tries it. The password comes from --password-file, --token-file, \
            FP_PASSWORD or FP_TOKEN, or is asked for when the URL names a user; certificates given by --pin and --cacert \
            and the --timeout are kept.

            With --replace a remote of that name gets another location or password; its vault stays its own. The old \
            secret is forgotten.

            Examples:
              fp remote add home davs://anna@cloud.example/dav/
              fp remote add usb /media/anna/stick
              fp remote add --replace home davs://anna@cloud.example/dav/ --password-file new
            """)

    @Argument(help: "The name, without a colon or slash.")
    var name: String

    @Argument(help: "A URL or a local folder; what paths of the remote begin at.")
    var location: LocationArgument

    @Flag(help: "Take the place of the remote of that name.")
    var replace = false

    @Flag(help: "Keep no password.")
    var noPassword = false

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if name.isEmpty || name.hasPrefix("-") || name.hasPrefix(".") || name.contains(where: { ":/{}".contains($0) }) {
            throw ValidationError("a name has no colon, slash or brace and begins with neither dash nor dot")
        }
    }

    func run(in invocation: Invocation) async throws {
        try await invocation.supervise {
            let remotes = invocation.access.remotes
            if invocation.access.registry.schemes.contains(name.lowercased()) || LocationParser.isMeantAsWebDAV(name) {
                throw Refusal(ShownName.escaped(name), "that is a scheme")
            }
            let former = try remotes.entry(named: name)
            guard replace || former == nil else { throw RemoteList.taken(name) }
            var (entry, credential) = try invocation.access.entry(named: name, at: location, isOpen: noPassword)
            if let former {
                entry.id = former.id
                try remotes.replace(entry, with: credential)
            } else {
                try remotes.add(entry, with: credential)
            }
            if credential == nil, !noPassword, try invocation.access.wantsSecret(entry) {
                invocation.messages.notice(
                    "\(ShownName.escaped(name)): saved without a password, which is asked for when it is used")
            }
        }
    }
}
