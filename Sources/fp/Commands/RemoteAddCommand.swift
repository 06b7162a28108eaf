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
        let isControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if name.isEmpty || name.hasPrefix("-") || name.hasPrefix(".") || name.contains(where: { ":/{}".contains($0) })
            || isControl
        {
            throw ValidationError(
                "a name has no colon, slash, brace or control character and begins with neither dash nor dot")
        }
    }

    /// Says so if the vault has changes: they were made to what is at the former location.
    private func announceUnsentChanges(_ invocation: Invocation) async {
        let remote = LocationArgument(bytes: Array("\(name):".utf8))
        let vault = try? invocation.access.openVault(
            remote, in: invocation.environment.vaults, creating: false, alone: true)
        guard let vault else { return }
        let unsent = (try? await vault.core.summary().unsent) ?? 0
        try? await vault.core.close()
        guard unsent > 0 else { return }
        invocation.messages.notice(
            "\(ShownName.escaped(name)): changes of \(Count.text(unsent, "item")) wait in its vault, and "
                + "are sent to the new location; `fp vault erase --discard` loses them")
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
                let isElsewhere = (former.root, former.configuration) != (entry.root, entry.configuration)
                if isElsewhere { await announceUnsentChanges(invocation) }
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
