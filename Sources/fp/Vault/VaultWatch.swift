import CloudCore
import FileProviders

/// Follows a query over a vault and writes a JSON object for each of its items that appears, changes, moves or
/// disappears.
struct VaultWatch {
    let vault: OpenVault
    let condition: FileQuery
    /// The pause between two scans of the server, which find what its tags do not show.
    let interval: Duration

    /// Brings the vault up to date, if the server can be reached, and then follows it until the task is cancelled.
    ///
    /// - Throws: the server's refusal if it does not accept the credential, or is not trusted: only the user can help.
    func run(to output: StandardOutput, ready: (Int) -> Void) async throws {
        do { _ = try await vault.core.scan(budget: .max) } catch {
            guard vault.isAway, try await vault.core.item(at: vault.path) != nil else { throw error }
        }
        guard try await vault.existing(vault.path).isDirectory else { throw FileError.notADirectory(vault.path) }
        let query = Query(.custom, where: condition, presentation: .init(filters: [Below(directory: vault.path)]))
        vault.core.start(query)
        for await news in query where news.state == .idle || query.failure != nil { break }
        if let failure = query.failure, !vault.isAway { throw failure }
        var rows: [Item] = []
        query.changes().apply(to: &rows)
        ready(rows.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await vault.core.run(every: interval, budget: .max) }
            group.addTask {
                guard let refusal = try await refusal() else { return }
                await vault.core.stop(query)
                throw refusal
            }
            for await news in query where news.hasChanges {
                let changes = query.changes()
                try write(changes, to: output, before: rows)
                try output.flush()
                changes.apply(to: &rows)
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        try Task.checkCancellation()
        if let failure = query.failure { throw failure }
    }

    /// Waits for the server's refusal once only the user can help: the core does not contact it again then. `nil` when
    /// the task is cancelled.
    private func refusal() async throws -> Refusal? {
        for await status in vault.core.connectionStatuses where status.waitsForPerson {
            if let refusal = try await vault.refusal() { return refusal }
        }
        return nil
    }

    private func write(_ changes: QueryChangeSet, to output: StandardOutput, before rows: [Item]) throws {
        for index in changes.removed { try output.write(line("removed", rows[index])) }
        let formerPaths = Dictionary(rows.lazy.map { ($0.localID, $0.path) }) { first, _ in first }
        var moves: [(from: ItemPath, item: Item)] = []
        for item in changes.updated.map(\.item) {
            if let former = formerPaths[item.localID], former != item.path {
                moves.append((former, item))
            } else {
                try output.write(line("modified", item))
            }
        }
        for (former, item) in inOrder(moves) { try output.write(line("moved", item, from: former)) }
        for item in changes.inserted.map(\.item) { try output.write(line("created", item)) }
    }

    /// Orders moves so that an item moved to a place comes after the one that has left it, and a reader that applies
    /// the lines by path loses nothing; items that were swapped in a circle have no such order.
    private func inOrder(_ moves: [(from: ItemPath, item: Item)]) -> [(from: ItemPath, item: Item)] {
        var (waiting, ordered) = (moves, [] as [(from: ItemPath, item: Item)])
        while !waiting.isEmpty {
            let taken = Set(waiting.map(\.from))
            let free = waiting.filter { !taken.contains($0.item.path) }
            guard !free.isEmpty else { return ordered + waiting }
            ordered += free
            waiting.removeAll { !taken.contains($0.item.path) }
        }
        return ordered
    }

    private func line(_ event: String, _ item: Item, from former: ItemPath? = nil) -> [UInt8] {
        var line = JSONLine()
        line.add("event", event)
        if let former { line.add("from", exact: vault.name(of: former)) }
        line.add(item, path: vault.name(of: item.path))
        return line.line
    }
}

/// Items below a directory, at any depth.
private struct Below: QueryFilter {
    let directory: ItemPath

    func shouldInclude(_ item: Item) -> Bool { item.path.isInside(directory) && item.path != directory }
}
