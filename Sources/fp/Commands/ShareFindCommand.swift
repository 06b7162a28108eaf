import ArgumentParser

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
