import ArgumentParser
import FileProviders

/// `fp remote test`.
struct RemoteTestCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Connect to remotes and say what answers.",
        discussion: """
            Of a cloud it also says whom it takes you for, and where the account's
            other spaces are. A certificate that is trusted in reply to the question is
            kept with the remote.

            Examples:
              fp remote test home work
            """)

    @Argument(help: "The remotes' names.")
    var names: [String]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        for name in names {
            do { _ = try invocation.access.remotes.existing(name) } catch {
                invocation.failed(error)
                continue
            }
            try await invocation.with(LocationArgument(argument: "\(name):")) { endpoint in
                let provider = endpoint.provider
                guard try await provider.attributesOfItem(path: endpoint.path).isDirectory else {
                    throw FileError.notADirectory(endpoint.path)
                }
                // Some proxies change the paths of requests, but not those in listings.
                _ = try await provider.listing(path: endpoint.path).entries.first { _ in true }
                let family = try await provider.characteristics(path: endpoint.path).family
                // A server is not broken because it does not report something about itself.
                let account = try? await (provider as? any AccountProvider)?.account()
                let facts = [Swift.type(of: provider).type, family, account.map(text)].compactMap { $0 }
                let works = "works (\(facts.joined(separator: ", ")))"
                try invocation.output.line("\(ShownName.escaped(name)): \(works)")
                guard let provider = provider as? any SpaceProvider & ConfigurableFileProvider else { return }
                for line in await spaces(of: provider, by: invocation.access.registry) {
                    try invocation.output.line("  \(line)")
                }
            }
        }
    }

    private func text(_ account: StorageAccount) -> String {
        let name = account.displayName == account.id ? nil : ShownName.escaped(account.displayName)
        return (["account \(ShownName.escaped(account.id))"] + [name].compactMap { $0 }).joined(separator: ", ")
    }

    /// Returns the locations of the account's trees, in the server's order.
    private func spaces<Provider: SpaceProvider & ConfigurableFileProvider>(
        of provider: Provider, by registry: ProviderRegistry
    ) async -> [String] {
        ((try? await provider.spaces()) ?? []).compactMap { space in
            guard let root = try? provider.provider(for: space), let configuration = try? root.storedConfiguration()
            else { return nil }
            let entry = StoredProvider(
                name: space.name, type: Provider.type, root: .root, configuration: configuration)
            let place = registry.location(of: entry) ?? ""
            return "\(ShownName.escaped(space.kind)) space \(ShownName.escaped(space.name)): \(place)"
        }
    }
}
