import ArgumentParser
import FileProviders

/// `fp share list`.
struct ShareListCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the shares of an item, or all of an account's.",
        discussion: """
            Examples:
              fp share list cloud:reports/2026.pdf
              fp share list --all --json cloud:
            """)

    @Argument(help: "The shared file or folder; with --all or --with-me, any location of the account.")
    var location: LocationArgument

    @Flag(help: "Everything that the account shares.")
    var all = false

    @Flag(help: "What others share with the account.")
    var withMe = false

    @Flag(help: "Write one JSON object per share.")
    var json = false

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if all, withMe { throw ValidationError("--all and --with-me exclude each other") }
    }

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.shares()
            let shares =
                if withMe { try await provider.sharesWithMe() } else {
                    try await provider.shares(of: all ? nil : endpoint.path)
                }
            var table = TextTable([.left, .left, .left, .left, .left])
            for share in shares {
                if json { try invocation.output.write(line(share, endpoint)) }
                let peer = withMe ? share.owner ?? share.receiver : share.receiver
                table.add([
                    ShownName.escaped(share.id), peer.kind == .link ? "link" : ShownName.escaped(peer.id),
                    ShareAllowance(permissions: share.permissions).text,
                    share.expiration.map { Timestamp.minute(FileTime($0)) } ?? "-",
                    share.url.map { ShownName.escaped($0.absoluteString) } ?? ShownName.escaped("\(share.path)"),
                ])
            }
            if !json { try table.lines.forEach(invocation.output.line) }
        }
    }

    private func line(_ share: Share, _ endpoint: Endpoint) -> [UInt8] {
        var line = JSONLine()
        line.add("id", share.id)
        line.add("path", exact: Array(share.path.description.utf8))
        line.add("kind", share.receiver.kind.rawValue)
        line.add("receiver", share.receiver.kind == .link ? nil : share.receiver.id)
        line.add("owner", share.owner?.id)
        line.add("allow", ShareAllowance(permissions: share.permissions).text)
        line.add("url", share.url?.absoluteString)
        line.add("name", share.name)
        line.add("expires", share.expiration.map { Timestamp.rfc3339(FileTime($0)) })
        line.add("password", share.hasPassword)
        return line.line
    }
}
