import FileProviding
import Foundation
import Logging

/// The link between a vault and a connection: keeps the vault's items in step with the server, and queries current.
///
/// There is no global state: any number of cores can exist at the same time, each with a vault of its own.
public final class Core: Sendable {
    /// The vault that stores everything.
    public let vault: Vault
    /// The connection to the server.
    public let connection: any Connection
    let discovery: Discovery
    let pump: QueryPump
    let issueBoard: IssueBoard
    let engine: SyncEngine
    let commands = CommandRegistry()
    let rules: CopyRules
    /// Identifies this core in claims that end with it.
    let lifetime = UUID()
    let logger: Logger
    let currentBookmark: Locked<Bookmark>
    /// The running queries, and the work being done for each.
    let queryWork = Locked<[ObjectIdentifier: QueryWork]>([:])
    /// When the core last vacuumed the vault by itself.
    let vacuumedAt = Locked<FileTime?>(nil)
    private let followTask: Task<Void, Never>
    private let announcements: AsyncStream<Void>.Continuation
    private let observation: UUID

    /// Creates a core for an open vault. Makes no request to the server yet: see ``run(every:budget:clock:)`` and
    /// ``start(_:)``.
    ///
    /// - Parameters:
    ///   - vault: what is stored of the server.
    ///   - connection: the connection to the server.
    ///   - parallelListings: how many directories a scan lists at once.
    ///   - deepCheckInterval: how long a directory's unchanged tag is trusted; after that a scan lists the directory
    ///     all the same.
    ///   - budget: how many commands are sent to the server at once.
    ///   - rules: how copies are kept and removed.
    ///   - clock: the clock for the retries of commands.
    ///   - logger: receives, at levels from debug to error, what fails without anybody else being told.
    public init(
        vault: Vault, connection: any Connection, parallelListings: Int = 4,
        deepCheckInterval: Duration = .seconds(7 * 86_400), budget: SyncBudget = SyncBudget(),
        rules: CopyRules = CopyRules(), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "CloudCore")
    ) {
        self.vault = vault
        vault.database.cores.withLock { [lifetime] in _ = $0.insert(lifetime) }
        currentBookmark = Locked(vault.bookmark)
        self.connection = connection
        self.rules = rules
        self.logger = logger
        let pump = QueryPump(database: vault.database)
        self.pump = pump
        let issueBoard = IssueBoard(vault: vault)
        self.issueBoard = issueBoard
        discovery = Discovery(
            database: vault.database, connection: connection, width: parallelListings,
            deepCheckInterval: deepCheckInterval)
        engine = SyncEngine(
            vault: vault, connection: connection, commands: commands, discovery: discovery, issueBoard: issueBoard,
            budget: budget, clock: clock, logger: logger)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        announcements = continuation
        observation = vault.database.onChange { _ in continuation.yield() }
        commands.onCancel { [weak engine, logger] id in
            // Cancelling a `Progress` is not asynchronous, but cancelling a command is; the engine is all that it
            // needs.
            Task { [weak engine] in
                do { try await engine?.cancel(id) } catch {
                    logger.warning(
                        "a command could not be cancelled", metadata: ["error": "\(error.localizedDescription)"])
                }
            }
        }
        commands.onWait { [weak engine] wait in
            guard let engine else { throw CancellationError() }
            return try await engine.work(during: wait)
        }
        // Kept until the core is released: whoever changes the database must not wait for the queries.
        followTask = Task {
            for await _ in stream {
                do {
                    try await pump.follow()
                    try await issueBoard.follow()
                } catch {
                    _ = await issueBoard.note(error)
                    logger.warning("queries could not follow", metadata: ["error": "\(error.localizedDescription)"])
                }
            }
        }
    }

    deinit {
        vault.database.cores.withLock { [lifetime] in _ = $0.remove(lifetime) }
        vault.database.stopObserving(observation)
        announcements.finish()
        followTask.cancel()
        for work in queryWork.withLock({ $0 }).values {
            work.cancel()
            work.query.finishIterations()
        }
    }

    /// Stops all queries and closes the vault. First end ``run(every:budget:clock:)`` by cancelling its task. Tasks
    /// that still await a command get a `CancellationError`; the command itself continues when the vault is next
    /// opened.
    public func close() async throws {
        commands.end()
        let works = queryWork.withLock { $0 }.values
        for work in works { work.cancel() }
        for work in works { await stop(work.query) }
        vault.database.stopObserving(observation)
        announcements.finish()
        await followTask.value
        try vault.close()
    }

    // MARK: Looking

    /// Returns an item by its permanent identifier, tombstones included; `nil` when there has never been one.
    public func item(_ id: LocalID) async throws -> Item? { try await vault.database.read { try $0.item(id) } }

    /// Returns the item at `path`, as far as the vault knows; makes no request to the server.
    public func item(at path: ItemPath) async throws -> Item? {
        try await vault.database.read { try $0.item(at: path) }
    }

    /// Returns a directory's entries in natural order, as far as the vault knows; makes no request to the server.
    public func children(of directory: LocalID) async throws -> [Item] {
        try await vault.database.read { try $0.children(of: directory) }
    }

    /// Returns whether all entries of a directory are known, because it has been listed or was created here. Otherwise
    /// a directory without known entries is not necessarily empty.
    public func isListed(_ directory: LocalID) async throws -> Bool {
        try await vault.database.read { reader in
            try reader.isListed(directory) || reader.item(directory)?.cloudStatus == .localOnly
        }
    }

    /// Returns what the vault holds, in numbers.
    public func summary() async throws -> VaultSummary { try await vault.database.read { try $0.summary() } }

    /// Returns the current point in the vault's history.
    public func anchor() async throws -> SyncAnchor { try await lasting { try $0.anchor() } }

    /// Returns every item that has changed since `anchor`, tombstones of removed ones included, in the order of their
    /// last changes, and the anchor for the next call. `nil` means "start over": the vault does not remember that far.
    public func changes(since anchor: SyncAnchor) async throws -> (items: [Item], anchor: SyncAnchor)? {
        try await lasting { reader in
            guard let items = try reader.items(since: anchor) else { return nil }
            return (items, try reader.anchor())
        }
    }

    /// Reads a state that survives a loss of power: whoever stores an anchor must not be ahead of the vault.
    private func lasting<Result: Sendable>(
        _ look: @escaping @Sendable (ItemReader) throws -> Result
    ) async throws -> Result {
        let result = try await vault.database.read(look)
        try vault.database.flush()
        return result
    }

    /// Forgets tombstones from before `time`; for older anchors, the answer is "start over" from then on.
    public func forgetTombstones(before time: FileTime) async throws {
        try await vault.database.write { try $0.forgetTombstones(before: time) }
    }
}
