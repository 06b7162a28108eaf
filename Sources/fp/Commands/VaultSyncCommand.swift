import ArgumentParser
import CloudCore

/// `fp vault sync`.
struct VaultSyncCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring a vault and its server together, until nothing is left to be found out, sent or fetched.",
        discussion: """
            What the server has put off is tried again for some seconds. The exit status \
            is 1 while something is stuck: a directory that the server refuses, or an \
            issue without an answer (see `fp vault conflicts`).

            Examples:
              fp vault sync cloud
            """)

    @Argument(help: "The remote's name.")
    var remote: VaultArgument

    @Flag(help: "Look at every directory, whatever the server's tags say.")
    var deep = false

    @OptionGroup var access: AccessOptions

    /// How long to wait for commands that continue by themselves: three attempts at a server that is failing.
    private static let patience = Duration.seconds(8)
    /// The most scans of the server: others may keep changing it forever.
    private static let rounds = 5

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(of: remote) { vault in
            let before = try await vault.core.anchor()
            var isDeep = deep
            // What commands have changed on the server is scanned once more.
            for _ in 1...Self.rounds {
                let isWhole = try await vault.look(deeply: isDeep, in: invocation)
                isDeep = false
                try await vault.core.followPolicies()
                try await vault.core.settle(waiting: Self.patience)
                let summary = try await vault.core.summary()
                guard isWhole, summary.unlisted + summary.outdated > 0 else { break }
            }
            try await vault.nameStuck(in: invocation)
            try await vault.core.vacuum()
            let changed = try await vault.core.changes(since: before)?.items.count ?? 0
            invocation.messages.notice(Count.text(changed, "item changed", "items changed"))
        }
    }
}

extension OpenVault {
    /// Scans the server, and names the directories that it refuses.
    ///
    /// - Returns: whether there are none.
    @discardableResult
    func look(deeply isDeep: Bool = false, in invocation: Invocation) async throws -> Bool {
        let report = try await isDeep ? core.deepCheck() : core.scan(budget: .max)
        for failure in report.failures {
            let path = try await core.item(failure.directory)?.path ?? .root
            invocation.failed(failure.error, at: ShownName.escaped(name(of: path)))
        }
        return report.failures.isEmpty
    }

    /// Names everything that waits for something: commands, and issues without an answer.
    func nameStuck(in invocation: Invocation) async throws {
        for record in try await core.syncRecords() {
            let path = try await core.item(record.itemID)?.path ?? .root
            let reason = record.failure.flatMap { ErrorText.reason(of: $0.error) } ?? "not done yet"
            let place = "\(record.kind.rawValue) \(ShownName.escaped(name(of: path)))"
            invocation.failed(Refusal(place, ShownName.escaped(reason), isAboutAccess: false))
        }
        for issue in try await core.issues() { invocation.failed(try await refusal(for: issue)) }
    }

    /// Returns the item that an issue is about, as the location was written; `nil` if it is about the vault.
    func place(of issue: Issue) async throws -> [UInt8]? {
        guard let id = issue.id.item, let item = try await core.item(id) else { return nil }
        return name(of: item.path)
    }

    /// Returns an issue as a one-line message.
    func refusal(for issue: Issue) async throws -> Refusal {
        let remedy = issue.id.kind.isAboutDisk ? "see to the disk, then: fp vault sync \(remote)" : answers
        let about = try await place(of: issue).map { "\(ShownName.escaped($0)): " } ?? ""
        return Refusal(
            "\(location.description) \(issue.id)", about + ShownName.escaped(try await detail(of: issue)),
            remedy: remedy, isAboutAccess: false)
    }

    /// Returns what has happened, without the item that it begins with.
    func detail(of issue: Issue) async throws -> String {
        guard let id = issue.id.item, let item = try await core.item(id), issue.detail.hasPrefix("\(item.path): ")
        else { return issue.detail }
        return String(issue.detail.dropFirst("\(item.path): ".count))
    }
}

extension CloudCore.Issue.Kind {
    /// Whether it is about the vault's own files, which no answer can repair.
    fileprivate var isAboutDisk: Bool {
        [.storageFull, .storageReadOnly, .storageFailing, .databaseDamaged].contains(self)
    }
}
