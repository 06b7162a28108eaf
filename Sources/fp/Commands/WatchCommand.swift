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
            properties, those of removed items too.

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
            "Show only changes of items that match; what is gone has only a name and a path.", valueName: "predicate"))
    var query: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The pause between two looks where changes are not told, in seconds.", valueName: "seconds"))
    var interval = 30.0

    @Flag(help: "Write one JSON object per change.")
    var json = false

    @OptionGroup var access: AccessOptions

    func validate() throws {
        guard interval > 0, interval.isFinite else { throw ValidationError("--interval needs a number above 0.") }
        _ = try query.map { try FileQuery(argument: $0) }
    }

    func run(in invocation: Invocation) async throws {
        let condition = try query.map { try FileQuery(argument: $0) }
        if let condition, case .remote? = try? invocation.access.parse(location).place {
            return try await follow(condition, in: invocation)
        }
        let matcher = condition?.matcher()
        try await invocation.with(location) { endpoint in
            for try await change in try await changes(at: endpoint, in: invocation) {
                let line = ChangeLine(change)
                if let matcher, try await !matches(line, matcher, endpoint.provider) { continue }
                try invocation.output.write(json ? line.json(endpoint) : line.text(endpoint, invocation.output))
                try invocation.output.flush()
            }
            try Task.checkCancellation()
        }
    }

    /// Answers the query from the remote's vault.
    private func follow(_ condition: FileQuery, in invocation: Invocation) async throws {
        try await invocation.withVault(location, creating: true) { vault in
            let notices = IssueNotices(invocation.messages, at: vault.location.description)
            try await vault.core.setIssueDelegate(notices)
            let watch = VaultWatch(vault: vault, condition: condition, interval: .seconds(interval))
            try await watch.run(to: invocation.output) { count in
                let found = count == 1 ? "1 item matches" : "\(count) items match"
                invocation.messages.notice("\(vault.location.description): \(found); watching")
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

    private func matches(
        _ line: ChangeLine, _ matcher: FileQuery.Matcher, _ provider: any FileProvider
    ) async throws -> Bool {
        if line.kind == "rescan" { return true }
        let gone = FileObject(path: line.path, type: .unknown)
        guard line.kind != "removed" else { return matcher.matches(gone) }
        do {
            return matcher.matches(try await provider.attributesOfItem(path: line.path))
        } catch let error where error.isNoSuchFile {
            return matcher.matches(gone)
        }
    }
}

/// A change in words.
private struct ChangeLine {
    let kind: String
    /// The item's current path.
    let path: ItemPath
    /// The item's path before it was moved.
    let former: ItemPath?

    init(_ change: FileChange) {
        switch change {
        case .created(let path): (kind, self.path, former) = ("created", path, nil)
        case .modified(let path): (kind, self.path, former) = ("modified", path, nil)
        case .removed(let path): (kind, self.path, former) = ("removed", path, nil)
        case .moved(let from, let to): (kind, path, former) = ("moved", to, from)
        case .rescan(let path): (kind, self.path, former) = ("rescan", path, nil)
        }
    }

    func text(_ endpoint: Endpoint, _ output: StandardOutput) -> [UInt8] {
        let padding = String(repeating: " ", count: max(1, 10 - kind.count))
        let origin = former.map { output.shown(endpoint.name(of: $0)) + Array(" -> ".utf8) } ?? []
        return Array("\(kind)\(padding)".utf8) + origin + output.shown(endpoint.name(of: path)) + [UInt8(ascii: "\n")]
    }

    func json(_ endpoint: Endpoint) -> [UInt8] {
        var line = JSONLine()
        line.add("event", kind)
        line.add("path", exact: endpoint.name(of: path))
        if let former { line.add("from", exact: endpoint.name(of: former)) }
        return line.line
    }
}
