import FileProviding

/// Brings changes of the database to the running queries: one read of the database for all of them, however many
/// transactions there have been since the last.
actor QueryPump {
    private let database: Database
    private var running: [ObjectIdentifier: RunningQuery] = [:]
    /// The latest work: reads of the database come one after another, since otherwise an older one would overwrite a
    /// newer one.
    private var last: Task<Void, any Error>?

    init(database: Database) { self.database = database }

    /// Starts a query with what the database has. A query that cannot be read does not run.
    func add(_ query: Query) async throws {
        running[ObjectIdentifier(query)] = RunningQuery(query)
        do { try await afterAllElse { try await self.load(query) } } catch {
            running[ObjectIdentifier(query)] = nil
            throw error
        }
        // A failure of another query is reported there.
        try? await follow()
    }

    /// Stops changing a query's results; they stay as they are when this returns.
    func remove(_ query: Query) async {
        running[ObjectIdentifier(query)] = nil
        // Work that has already begun does not know that the query has ended.
        _ = await last?.result
    }

    /// Reads a query's results again.
    func reload(_ query: Query) async throws {
        try await afterAllElse { try await self.load(query) }
        // What was committed in the meantime was announced before this query could follow.
        try await follow()
    }

    /// Updates all queries with what has been committed.
    func follow() async throws { try await afterAllElse { try await self.followCommits() } }

    private func afterAllElse(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { [last] in
            _ = await last?.result
            try await work()
        }
        last = task
        try await task.value
    }

    private func load(_ query: Query) async throws {
        let id = ObjectIdentifier(query)
        guard let before = running[id] else { return }
        let after = try await database.read { reader in
            var query = before
            try query.load(reader)
            return query
        }
        if running[id] != nil { running[id] = after }
    }

    /// - Throws: when the others have been updated, the error of one that could not be read; it is tried again with the
    ///   next commit.
    private func followCommits() async throws {
        // The others read everything when it is their turn.
        let before = running.filter(\.value.hasBegun)
        guard let oldest = before.values.map(\.anchor).min(by: { $0.count < $1.count }) else { return }
        let after = try await database.read { reader in
            let changed = try reader.items(since: oldest)
            return before.mapValues { query in
                Result {
                    var query = query
                    try query.follow(changed, reader)
                    return query
                }
            }
        }
        var failure: (any Error)?
        for (id, result) in after where running[id] != nil {
            do { running[id] = try result.get() } catch { failure = failure ?? error }
        }
        if let failure { throw database.meaning(of: failure) }
    }

    /// Returns the directory whose entries a query shows, or its item; `nil` if there is none.
    func scope(of query: Query) -> ItemScope? { running[ObjectIdentifier(query)]?.scope ?? nil }
}
