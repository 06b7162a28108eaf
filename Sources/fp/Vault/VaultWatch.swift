import CloudCore
import FileProviders

/// Follows a query over a vault and writes a JSON object for each of its items that appears, changes, moves or
/// disappears.
struct VaultWatch {
    let vault: OpenVault
    let condition: FileQuery
    /// The pause between two scans of the server, which find what its tags do not show.
    let interval: Duration
    /// Called with what happens to the watching itself: outages of the server, and the end of the folder.
    let notice: @Sendable (String) -> Void

    /// Brings the vault up to date, if the server can be reached, and then follows it until the task is cancelled.
    ///
    /// - Throws: the server's refusal if it does not accept the credential, or is not trusted: only the user can help.
    func run(to output: StandardOutput, ready: (Int) -> Void) async throws {
        do { _ = try await vault.core.scan(budget: .max) } catch {
            guard vault.isAway, try await vault.core.item(at: vault.path) != nil else { throw error }
        }
        let folder = try await vault.existing(vault.path)
        guard folder.isDirectory else { throw FileError.notADirectory(vault.path) }
        let query = Query(.custom, where: condition, presentation: .init(filters: [ItemsBelow(directory: vault.path)]))
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
            group.addTask { await tellOfOutages() }
            group.addTask { try await follow(folder, shownBy: query) }
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
        for await status in vault.core.connectionStatuses where status.needsUser {
            if let refusal = try await vault.refusal() { return refusal }
        }
        return nil
    }

    private func tellOfOutages() async {
        var wasAway = false
        for await status in vault.core.connectionStatuses {
            if vault.isAway, !wasAway {
                wasAway = true
                notice("the server cannot be reached; what changes there is told once it can")
            } else if status == .online, wasAway {
                wasAway = false
                notice("the server can be reached again")
            }
        }
    }

    /// Follows the folder when it moves: what is in it is then removed from the old path and created at the new one.
    private func follow(_ folder: Item, shownBy query: Query) async throws {
        var watched = WatchedFolder(folder, of: vault.core, shownBy: query, notice: notice)
        let changes = Query(.item(vault.path))
        vault.core.start(changes)
        for await news in changes where news.hasChanges {
            _ = changes.changes()
            try await watched.follow()
        }
    }

    private func write(_ changes: QueryChangeSet, to output: StandardOutput, before rows: [Item]) throws {
        for index in changes.removed { try output.write(line("removed", rows[index])) }
        let former = Dictionary(rows.lazy.map { ($0.localID, $0) }) { first, _ in first }
        var moves: [(from: ItemPath, item: Item)] = []
        for item in changes.updated.map(\.item) {
            let told = line("modified", item)
            if let path = former[item.localID]?.path, path != item.path {
                moves.append((path, item))
            } else if former[item.localID].map({ line("modified", $0) != told }) ?? true {
                try output.write(told)
            }
        }
        for (former, item) in inOrder(moves) { try output.write(line("moved", item, from: former)) }
        for item in changes.inserted.map(\.item) { try output.write(line("created", item)) }
    }

    /// Orders moves so that an item moved to a place comes after the one that has left it, and a reader that applies
    /// the lines by path loses nothing; items that were swapped in a circle have no such order.
    private func inOrder(_ moves: [(from: ItemPath, item: Item)]) -> [(from: ItemPath, item: Item)] {
        let leaving = Dictionary(moves.lazy.map { ($0.from, $0) }) { first, _ in first }
        var ordered: [(from: ItemPath, item: Item)] = []
        var seen: Set<LocalID> = []
        for move in moves {
            var chain: [(from: ItemPath, item: Item)] = []
            var next: (from: ItemPath, item: Item)? = move
            while let move = next, seen.insert(move.item.localID).inserted {
                chain.append(move)
                next = leaving[move.item.path]
            }
            ordered += chain.reversed()
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
