import FileProviding
import Foundation

extension Core {
    /// Runs a query until it is stopped: first with results from the database, then with what the server has.
    ///
    /// The core retains the query. If the server cannot be reached, the results stay as they are; see
    /// ``Query/failure``. If the vault itself cannot be read, the query ends as if it had been stopped.
    public func start(_ query: Query) {
        queryWork.withLock { $0[ObjectIdentifier(query)] = $0[ObjectIdentifier(query)] ?? QueryWork(query: query) }
        query.shared.withLock { shared in
            (shared.hasEnded, shared.failure) = (false, nil)
            shared.link = QueryLink { [weak self, weak query] in
                guard let self, let query else { return }
                self.work(for: query) { try await self.pump.reload(query) }
            }
        }
        work(for: query) { [pump, queryWork] in
            do { try await pump.add(query) } catch {
                queryWork.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(query)) }
                query.end(for: error)
                return
            }
            try await self.refresh(query)
        }
    }

    /// Fetches what a query shows from the server again. Returns when the server's answer is in the results.
    ///
    /// - Throws: what the connection throws; the results stay as they are.
    public func refresh(_ query: Query) async throws {
        query.change { if ![.targetRemoved, .startOver, .stopped].contains($0.state) { $0.state = .updating } }
        do {
            if let refusal = engine.statusBoard.refusal { throw refusal }
            switch query.target {
            case .location(let path): try await refreshDirectory(of: query, path)
            case .item(let path): try await refreshItem(of: query, path)
            case .custom: try await lookUp(query.condition)
            case .since: break
            }
            try await pump.follow()
            query.change { shared in
                shared.failure = nil
                if [.updating, .contentsFromCache].contains(shared.state) { shared.state = .idle }
            }
        } catch  where error.isNoSuchFile {
            query.change { ($0.state, $0.failure) = (.targetRemoved, error) }
            throw error
        } catch {
            query.change { shared in
                if !error.isCancellation { shared.failure = error }
                if shared.state == .updating { shared.state = .contentsFromCache }
            }
            // A recorded refusal needs no second record.
            if engine.statusBoard.refusal == nil { await engine.noteOfOne(EventFailure(error)) }
            throw error
        }
    }

    /// Repeats the requests of queries that failed while the server was unavailable, now that it answers again.
    func refreshFailedQueries() {
        for query in queryWork.withLock({ $0.values.map(\.query) }) where query.state != .updating {
            guard let failure = query.failure, EventFailure(failure).meaning.status != nil else { continue }
            work(for: query) { try await self.refresh(query) }
        }
    }

    /// Ends a query. Its results stay as they are, and iterations over its notifications end.
    public func stop(_ query: Query) async {
        query.shared.withLock { $0.link = nil }
        let work = queryWork.withLock { $0.removeValue(forKey: ObjectIdentifier(query)) }
        await work?.end()
        await pump.remove(query)
        query.change { $0.state = .stopped }
        query.finishIterations()
    }

    private func refreshDirectory(of query: Query, _ path: ItemPath) async throws {
        if case .directory(let id)? = await pump.scope(of: query) { return try await discovery.refresh(id) }
        let item = try await discovery.resolve(path)
        guard item.isDirectory else { throw FileError.notADirectory(path) }
        try await discovery.refresh(item.localID)
    }

    private func refreshItem(of query: Query, _ path: ItemPath) async throws {
        if case .item(let id)? = await pump.scope(of: query), let parent = try await item(id)?.parentID {
            try await discovery.refresh(parent)
        } else {
            _ = try await discovery.resolve(path)
        }
    }

    /// Lists items that the server's index finds and the vault does not know yet, by listing the directories above
    /// them. This is only an aid: if it fails, the results are what the vault has.
    private func lookUp(_ condition: FileQuery) async throws {
        guard let connection = connection as? any SearchingConnection, condition != .all else { return }
        do {
            // An index lags: what it finds may be gone by now, along with everything that was there.
            var missing: Set<ItemPath> = []
            for path in try await connection.indexedPaths(condition) ?? [] where try await item(at: path) == nil {
                guard missing.isDisjoint(with: path.withParents) else { continue }
                do { _ = try await discovery.resolve(path) } catch  where error.isNoSuchFile {
                    for place in path.withParents where try await item(at: place) == nil { missing.insert(place) }
                }
            }
        } catch {
            try Task.checkCancellation()
            await engine.noteOfOne(EventFailure(error))
            logger.notice(
                "the server's index could not be asked", metadata: ["error": "\(error.localizedDescription)"])
        }
    }

    /// Does work for a query that ends with the query, and reports its failure to the query's delegate. Nothing is done
    /// for a query that has been stopped.
    private func work(for query: Query, _ work: @escaping @Sendable () async throws -> Void) {
        let (key, id) = (ObjectIdentifier(query), UUID())
        // Created under the lock, so that it cannot end before it is recorded.
        queryWork.withLock { running in
            guard running[key] != nil else { return }
            running[key]?.tasks[id] = Task { [queryWork] in
                do { try await work() } catch {
                    if !error.isCancellation { query.delegate?.query(query, failedWith: error) }
                }
                queryWork.withLock { _ = $0[key]?.tasks.removeValue(forKey: id) }
            }
        }
    }
}

/// A running query, and the work being done for it.
struct QueryWork: Sendable {
    let query: Query
    var tasks: [UUID: Task<Void, Never>] = [:]

    func cancel() { for task in tasks.values { task.cancel() } }

    /// Cancels the work and waits for its end.
    func end() async {
        cancel()
        for task in tasks.values { await task.value }
    }
}

extension ItemPath {
    /// The path and those of the directories above it.
    fileprivate var withParents: some Sequence<ItemPath> { sequence(first: self) { $0.parent } }
}
