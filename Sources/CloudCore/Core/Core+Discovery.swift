import FileProviding

extension Core {
    /// Keeps looking for what has changed on the server, until the task is cancelled: at once, at every news that the server
    /// gives by itself, and at regular intervals; and brings commands to the server as they are given.
    ///
    /// Failures are logged and tried again at the next interval: a server that is away is no error here. But one that does not
    /// know who is asking, or is not to be trusted, is not asked again before its issue is answered, or ``reconnect()``. Trouble
    /// with the vault's own files is an issue until a look succeeds.
    ///
    /// - Parameters:
    ///   - interval: how long to wait between scans.
    ///   - budget: how many directories a scan lists where the server's tags do not tell what has changed.
    ///   - clock: what to wait by.
    public func run(every interval: Duration, budget: Int = 64, clock: any Clock<Duration> = ContinuousClock()) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    await self.attempt { try await self.engine.run() }
                    try? await clock.sleep(for: interval)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.attempt {
                        guard !self.connectionStatus.waitsForPerson else { return }
                        try await self.scan(budget: budget)
                        try await self.followPolicies()
                        try await self.vacuumDaily()
                        try await self.followShares()
                        try await self.issueBoard.clearTrouble()
                    }
                    try? await clock.sleep(for: interval)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.attempt {
                        guard !self.connectionStatus.waitsForPerson else { return }
                        try await self.followSignals(budget: budget)
                    }
                    try? await clock.sleep(for: interval)
                }
            }
        }
    }

    /// Finds out what has changed on the server: with propagating tags by one request and one more for each directory that
    /// has changed; else by listing up to `budget` directories again, those not seen for longest first.
    ///
    /// - Throws: what the connection throws. What is left to do is remembered for the next scan.
    @discardableResult
    public func scan(budget: Int = 64) async throws -> ScanReport {
        try await looking { try await self.discovery.scan(budget: budget) }
    }

    /// Lists every directory again, whatever its tag says: finds what tags missed.
    @discardableResult
    public func deepCheck() async throws -> ScanReport {
        try await looking { try await self.discovery.deepCheck() }
    }

    /// Looks at the server, and notes from that how the way to it stands.
    private func looking(_ look: @Sendable () async throws -> ScanReport) async throws -> ScanReport {
        do {
            let report = try await look()
            await engine.note(.online)
            try await pump.follow()
            refreshFailedQueries()
            return report
        } catch {
            await engine.note(EventFailure(error))
            throw error
        }
    }

    /// Looks at what the server says has changed, until it has no more to say. What it says while the last news are looked
    /// at is looked at together, each directory once.
    private func followSignals(budget: Int) async throws {
        guard let signals = try await connection.signals() else { return }
        let pending = Locked<Set<ConnectionSignal>>([])
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { waker.finish() }
                for try await signal in signals {
                    pending.withLock { _ = $0.insert(signal) }
                    waker.yield()
                }
            }
            for await _ in wakes {
                let news = pending.withLock { pending in
                    defer { pending = [] }
                    return pending
                }
                try await look(at: news, budget: budget)
            }
            try await group.waitForAll()
        }
    }

    func look(at news: Set<ConnectionSignal>, budget: Int) async throws {
        if news.contains(.changedSomewhere) {
            try await scan(budget: budget)
            return
        }
        var directories: [LocalID] = []
        for path in Set(news.flatMap(\.directories)) {
            // A directory that is not known, or gone again, is found by a scan.
            guard let directory = try await item(at: path), directory.isDirectory else { continue }
            directories.append(directory.localID)
        }
        // Noted first: what cannot be looked at now, the next scan looks at.
        let told = directories
        try await vault.database.write { writer in for directory in told { try writer.addJob(directory, .scan) } }
        try await discovery.refresh(directories)
        try await pump.follow()
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            if !error.isCancellation, await !issueBoard.note(error) {
                logger.notice("the server could not be asked", metadata: ["error": "\(error.localizedDescription)"])
            }
        }
    }
}
