import FileProviding

/// What becomes of a failed attempt.
extension FileCopy {
    /// What has come of the attempts so far.
    struct Attempts {
        /// The number of failed attempts since the last outage.
        var failures = 0
        var outages = 0
        var hasBackup = false
        var latestError: (any Error)?
        /// How often the target has been found changed since it was judged.
        var changes = 0
        /// Whether the storage refuses to replace the version that it reports itself.
        var ignoresVersion = false
    }

    /// Waits before the next attempt.
    ///
    /// - Throws: when there is to be none, because the storage is gone or the task is cancelled.
    func pause(
        after error: any Error, begunAt begin: ContinuousClock.Instant, _ attempts: inout Attempts
    ) async throws {
        attempts.failures += 1
        attempts.latestError = error
        do {
            // After a timeout, or a pause that the storage requested in vain, it may be gone.
            if error.isTimeout || ContinuousClock.now - begin > options.retries.outage,
                case .ends(let end) = await outage(behind: error)
            {
                throw end
            }
            try await tools.clock.sleep(for: tools.retries.pause(after: attempts.failures))
        } catch {
            try await giveUp(error)
            throw error
        }
    }

    /// Waits until the storage is available again, if an outage is why the attempts have failed.
    ///
    /// - Throws: why they have failed, otherwise or if it has been waited for in vain.
    func waitForEndOfOutage(behind error: any Error, _ attempts: inout Attempts) async throws {
        let outage = await outage(behind: error)
        if case .over = outage, error.isTransient,
            tools.retries.mayRepeat(after: attempts.outages + 1, isOutageOver: true)
        {
            attempts.latestError = attempts.latestError ?? error
            attempts.outages += 1
            attempts.failures = 1
            return
        }
        // A source that can be read only once cannot be tried again: the first failure is the reason.
        let failure = error.isReadOnce ? attempts.latestError ?? error : error
        let end = if case .ends(let end) = outage { end } else { failure }
        try await giveUp(end)
        throw end
    }

    func outage(behind error: any Error) async -> Outage {
        await tools.outage(behind: error, job.source, job.target)
    }

    /// Keeps what the next run can continue, and removes the rest; what this run cannot remove is left to the next one.
    func giveUp(_ error: any Error) async throws {
        guard let part = tools.journal.part(for: job.target.path) else { return }
        let isContinued = error.isContinuable || error.endsTransfer || Task.isCancelled
        if tools.journal.isDurable, tools.ledger.isCutShort || part.state != nil && isContinued { return }
        let leftover = Leftover(part: part, provider: job.target.provider, names: names.names)
        if await leftover.remove() == nil { try tools.journal.settle(job.target.path, finished: nil) }
    }
}
