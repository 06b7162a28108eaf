import ArgumentParser
import FileProviders

/// `fp watch`.
struct WatchCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show changes below a folder as they happen.",
        discussion: """
            One line per change, until Ctrl-C: created, modified, removed, moved, or rescan where changes were lost.

            A storage that does not tell of changes is looked at again and again, which fp says. What comes and goes
            between two looks is not seen then.

            With --query on a saved remote (NAME:path) the query is answered by the remote's vault, which is made if need \
            be: one JSON object for each item that comes to match, changes, moves or no longer matches, with its \
            properties, those of removed items too. Its "id" tells which item it is, also where two have swapped names.

            Examples:
              fp watch photos
              fp watch --interval 60 davs://anna@cloud.example/dav/photos
              fp watch --query 'name ENDSWITH ".jpg"' --json photos
              fp watch cloud:photos --query 'name LIKE[c] "*.jpg"'
            """)

    @Argument(help: "A folder; the working directory by default.")
    var location = LocationArgument.here

    @Option(
        help: ArgumentHelp(
            "Show only changes of items that match; one that no longer does is told as removed.", valueName: "predicate"
        ))
    var query: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The pause between two looks where changes are not told, in seconds.", valueName: "seconds"))
    var interval = 30.0

    @Flag(help: "Write one JSON object per change.")
    var json = false

    @OptionGroup var access: AccessOptions

    func validate() throws {
        guard interval > 0, interval <= AccessOptions.longest else {
            throw ValidationError(
                "--interval needs a number of seconds above 0, up to \(Int(AccessOptions.longest))")
        }
        _ = try query.map { try FileQuery(argument: $0) }
    }

    func run(in invocation: Invocation) async throws {
        let condition = try query.map { try FileQuery(argument: $0) }
        if let condition, case .remote? = try? invocation.access.parse(location).place {
            return try await follow(condition, in: invocation)
        }
        try await invocation.with(location) { endpoint in
            let changes = try await changes(at: endpoint, in: invocation)
            var matching: MatchingChanges?
            if let condition { matching = try await MatchingChanges(condition, at: endpoint) }
            for try await change in changes {
                for line in try await matching?.lines(for: change) ?? [ChangeLine(change)] {
                    try await write(line, endpoint, invocation.output)
                }
                try invocation.output.flush()
            }
            try Task.checkCancellation()
        }
    }

    private func write(_ line: ChangeLine, _ endpoint: Endpoint, _ output: StandardOutput) async throws {
        guard json else { return try output.write(line.text(endpoint, output)) }
        try output.write(try await line.withItem(of: endpoint.provider).json(endpoint))
    }

    /// Answers the query from the remote's vault.
    private func follow(_ condition: FileQuery, in invocation: Invocation) async throws {
        try await invocation.withVault(location, creating: true) { vault in
            let notices = IssueNotices(invocation.messages, at: vault.location.description)
            try await vault.core.setIssueDelegate(notices)
            let (messages, place) = (invocation.messages, vault.location.prefix)
            let watch = VaultWatch(vault: vault, condition: condition, interval: .seconds(interval)) { news in
                messages.notice("\(place) \(news)")
            }
            try await watch.run(to: invocation.output) { count in
                messages.notice("\(place) \(Count.text(count, "item matches", "items match")); watching")
            }
            withExtendedLifetime(notices) {}
        }
    }

    /// Returns the changes that the storage reports itself or, if its kind or this server does not report any, those
    /// found by polling.
    private func changes(at endpoint: Endpoint, in invocation: Invocation) async throws -> FileChanges {
        if let provider = endpoint.provider as? any FileProviderMonitor {
            do {
                return try await provider.changes(path: endpoint.path, recursive: true)
            } catch let error where error.isUnsupported {}
        }
        let kind = Swift.type(of: endpoint.provider).type
        let seconds = interval.formatted(.number.precision(.fractionLength(0...1)))
        invocation.messages.notice("\(kind) does not tell of changes: looking every \(seconds) s")
        return try await PollingMonitor(endpoint.provider, interval: .seconds(interval))
            .changes(path: endpoint.path, recursive: true)
    }
}
