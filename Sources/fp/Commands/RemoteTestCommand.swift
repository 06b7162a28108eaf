import ArgumentParser
import FileProviders

/// `fp remote test`.
struct RemoteTestCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Connect to remotes and say what answers.",
        discussion: """
            A certificate that is trusted in reply to the question is kept with the remote.

            Examples:
              fp remote test home work
            """)

    @Argument(help: "The remotes' names.")
    var names: [String]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        for name in names {
            try await invocation.with(LocationArgument(argument: "\(name):")) { endpoint in
                let item = try await endpoint.provider.attributesOfItem(path: endpoint.path)
                guard item.isDirectory else { throw FileError.notADirectory(endpoint.path) }
                let family = try await endpoint.provider.characteristics(path: endpoint.path).family
                let kind = [Swift.type(of: endpoint.provider).type, family].compactMap { $0 }.joined(separator: ", ")
                try invocation.output.line("\(ShownName.escaped(name)): works (\(kind))")
            }
        }
    }
}
