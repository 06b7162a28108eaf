import FileProviding

extension Core {
    /// Keeps the vault up to date with the server until the task is cancelled: at once, at every signal from the
    /// server, and at regular intervals; and sends commands to the server as they are given.
    ///
    /// Failures are logged and tried again at the next interval: an unavailable server is no error here. But a server
    /// that does not accept the credential, is not trusted, or has moved permanently is not contacted again before its
    /// issue is answered, or ``reconnect()`` is called. A failure of the vault's own files is an issue until a scan
    /// succeeds.
    ///
    /// - Parameters:
    ///   - interval: how long to wait between scans.
    ///   - budget: how many directories a scan lists if the server's tags do not show what has changed.
    ///   - clock: the clock for the intervals.
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
                        guard !self.connectionStatus.needsUser else { return }
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
                        guard !self.connectionStatus.needsUser else { return }
                        try await self.followSignals(budget: budget)
                    }
                    try? await clock.sleep(for: interval)
                }
            }
        }
    }

    /// Finds out what has changed on the server: if tags propagate, by one request and one more for each directory that
    /// has changed; otherwise by listing up to `budget` directories again, beginning with those not listed for longest.
    ///
    /// - Throws: what the connection throws. What is left to do is remembered for the next scan.
    @discardableResult
    public func scan(budget: Int = 64) async throws -> ScanReport {
        try await looking { try await self.discovery.scan(budget: budget) }
    }

    /// Lists every directory again, whatever its tag is: finds what tags missed.
    @discardableResult
    public func deepCheck() async throws -> ScanReport {
        try await looking { try await self.discovery.deepCheck() }
    }

    /// Runs a scan, and derives the state of the connection from its result.
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

    /// Processes the server's signals until the stream ends. Signals that arrive while earlier ones are processed are
    /// processed together, each directory once.
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
            // A directory that is unknown, or gone again, is found by a scan.
            guard let directory = try await vault.database.read({ try $0.item(atServerPath: path) }),
                directory.isDirectory
            else { continue }
            directories.append(directory.localID)
        }
        // Record the jobs first: what cannot be listed now is listed by the next scan.
        let told = directories
        try await vault.database.write { writer in for directory in told { try writer.addJob(directory, .scan) } }
        try await discovery.refresh(directories)
        // New directories are looked into at once.
        if budget > 0 { _ = try await discovery.drain(budget: budget) }
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
