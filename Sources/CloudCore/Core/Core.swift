import FileProviding
import Foundation
import Logging

/// Ties a vault to a connection: keeps the vault's items as the server's, and queries current.
///
/// There is no global state: any number of cores run side by side, each over a vault of its own.
public final class Core: Sendable {
    /// Where everything is kept.
    public let vault: Vault
    /// The way to the server.
    public let connection: any Connection
    let discovery: Discovery
    let pump: QueryPump
    let issueBoard: IssueBoard
    let engine: SyncEngine
    let commands = CommandRegistry()
    let rules: CopyRules
    /// Names this core in claims that end with it.
    let lifetime = UUID()
    let logger: Logger
    let currentBookmark: Locked<Bookmark>
    /// The queries that run, and what is being done for each.
    let queryWork = Locked<[ObjectIdentifier: QueryWork]>([:])
    /// When the vault was last vacuumed by the core itself.
    let vacuumedAt = Locked<FileTime?>(nil)
    private let followTask: Task<Void, Never>
    private let announcements: AsyncStream<Void>.Continuation
    private let observation: UUID

    /// A core over an open vault. Nothing is asked of the server yet: see ``run(every:budget:clock:)`` and ``start(_:)``.
    ///
    /// - Parameters:
    ///   - vault: what is kept of the server.
    ///   - connection: the way to the server.
    ///   - parallelListings: how many directories a scan lists at once.
    ///   - deepCheckInterval: how long a directory's unchanged tag is believed; then a scan lists it all the same.
    ///   - budget: how many commands go to the server at once.
    ///   - rules: what becomes of copies.
    ///   - clock: what commands that are tried again wait by.
    ///   - logger: gets a line for what a scan could not do.
    public init(
        vault: Vault, connection: any Connection, parallelListings: Int = 4,
        deepCheckInterval: Duration = .seconds(7 * 86_400), budget: SyncBudget = SyncBudget(),
        rules: CopyRules = CopyRules(), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "CloudCore")
    ) {
        self.vault = vault
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
            // Cancelling a `Progress` is not asynchronous, taking a command back is; the engine is all that it needs.
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
        // Kept until the core goes: whoever changes the database must not wait for the queries.
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
        vault.database.stopObserving(observation)
        announcements.finish()
        followTask.cancel()
        for work in queryWork.withLock({ $0 }).values {
            work.cancel()
            work.query.finishListeners()
        }
    }

    /// Stops all queries and closes the vault. End ``run(every:budget:clock:)`` and whatever awaits commands first, by
    /// cancelling its task.
    public func close() async throws {
        let works = queryWork.withLock { $0 }.values
        for work in works { work.cancel() }
        for work in works { await stop(work.query) }
        vault.database.stopObserving(observation)
        announcements.finish()
        await followTask.value
        try vault.close()
    }

    // MARK: Looking

    /// An item by its permanent identifier, tombstones included; `nil` when there has never been one.
    public func item(_ id: LocalID) async throws -> Item? { try await vault.database.read { try $0.item(id) } }

    /// The item at `path`, as far as the vault knows; nothing is asked of the server.
    public func item(at path: ItemPath) async throws -> Item? {
        try await vault.database.read { try $0.item(at: path) }
    }

    /// A directory's entries in natural order, as far as the vault knows; nothing is asked of the server.
    public func children(of directory: LocalID) async throws -> [Item] {
        try await vault.database.read { try $0.children(of: directory) }
    }

    /// What the vault holds, in numbers.
    public func summary() async throws -> VaultSummary { try await vault.database.read { try $0.summary() } }

    /// The present point of the vault's history.
    public func anchor() async throws -> SyncAnchor { try await lasting { try $0.anchor() } }

    /// Every item that has changed since `anchor`, tombstones of removed ones included, in the order of their last changes;
    /// and the point up to which that is all. `nil` means "start over": the vault does not remember that far.
    public func changes(since anchor: SyncAnchor) async throws -> (items: [Item], anchor: SyncAnchor)? {
        try await lasting { reader in
            guard let items = try reader.items(since: anchor) else { return nil }
            return (items, try reader.anchor())
        }
    }

    /// Looks at what will still be so after a loss of power: whoever keeps an anchor must not be ahead of the vault.
    private func lasting<Result: Sendable>(
        _ look: @escaping @Sendable (ItemReader) throws -> Result
    ) async throws -> Result {
        let result = try await vault.database.read(look)
        try vault.database.flush()
        return result
    }

    /// Forgets tombstones from before `time`; older anchors are answered "start over" from then on.
    public func forgetTombstones(before time: FileTime) async throws {
        try await vault.database.write { try $0.forgetTombstones(before: time) }
    }
}
