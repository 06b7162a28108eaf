import FileProviding

/// Brings what changes in the database to the queries that run: one look at the database for all of them, however many
/// transactions there have been since the last.
actor QueryPump {
    private let database: Database
    private var running: [ObjectIdentifier: RunningQuery] = [:]
    /// The work that came last: one look at the database after the other, or an older one would overwrite a newer.
    private var last: Task<Void, any Error>?

    init(database: Database) { self.database = database }

    /// Starts a query with what the database has.
    func add(_ query: Query) async throws {
        running[ObjectIdentifier(query)] = RunningQuery(query)
        try await reload(query)
    }

    /// Lets a query's results be as they are.
    func remove(_ query: Query) { running[ObjectIdentifier(query)] = nil }

    /// Reads a query's results anew.
    func reload(_ query: Query) async throws {
        try await afterAllElse { try await self.load(query) }
        // What was committed meanwhile has been announced when this query could not follow yet.
        try await follow()
    }

    /// Lets all queries follow what has been committed.
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

    private func followCommits() async throws {
        let before = running
        guard !before.isEmpty else { return }
        let after = try await database.read { reader in
            let oldest = before.values.map(\.anchor).min { $0.count < $1.count } ?? .beginning
            let changed = try reader.items(since: oldest)
            return try before.mapValues { query in
                var query = query
                try query.follow(changed, reader)
                return query
            }
        }
        for (id, query) in after where running[id] != nil { running[id] = query }
    }

    /// The directory whose entries a query shows, or its item; `nil` where there is none.
    func scope(of query: Query) -> ItemScope? { running[ObjectIdentifier(query)]?.scope ?? nil }
}
