import CloudCore
import FileProviders

/// Follows a query over a vault and writes a JSON object for each of its items that comes, changes, moves or goes.
struct VaultWatch {
    let vault: OpenVault
    let condition: FileQuery
    /// The pause between two looks at the server, which looks at everything that its tags do not tell.
    let interval: Duration

    /// Brings the vault up to date, and then follows it until the task is cancelled.
    func run(to output: StandardOutput, ready: (Int) -> Void) async throws {
        _ = try await vault.core.scan(budget: .max)
        let query = Query(.custom, where: condition, presentation: .init(filters: [Below(directory: vault.path)]))
        vault.core.start(query)
        for await news in query where news.state == .idle || query.failure != nil { break }
        if let failure = query.failure { throw failure }
        var rows: [Item] = []
        query.changes().apply(to: &rows)
        ready(rows.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await vault.core.run(every: interval, budget: .max) }
            for await news in query where news.hasChanges {
                let changes = query.changes()
                try write(changes, to: output, before: rows)
                try output.flush()
                changes.apply(to: &rows)
            }
            group.cancelAll()
        }
        if let failure = query.failure { throw failure }
        try Task.checkCancellation()
    }

    private func write(_ changes: QueryChangeSet, to output: StandardOutput, before rows: [Item]) throws {
        for index in changes.removed { try output.write(line("removed", rows[index])) }
        let formerPaths = Dictionary(rows.lazy.map { ($0.localID, $0.path) }) { first, _ in first }
        for item in changes.inserted.map(\.item) { try output.write(line("created", item)) }
        for item in changes.updated.map(\.item) {
            let former = formerPaths[item.localID].flatMap { $0 == item.path ? nil : $0 }
            try output.write(line(former == nil ? "modified" : "moved", item, from: former))
        }
    }

    private func line(_ event: String, _ item: Item, from former: ItemPath? = nil) -> [UInt8] {
        var line = JSONLine()
        line.add("event", event)
        if let former { line.add("from", exact: vault.name(of: former)) }
        line.add(item, path: vault.name(of: item.path))
        return line.line
    }
}

/// What lies below a directory, at any depth.
private struct Below: QueryFilter {
    let directory: ItemPath

    func shouldInclude(_ item: Item) -> Bool { item.path.isInside(directory) && item.path != directory }
}
