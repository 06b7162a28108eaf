import FileProviding

/// Starts copies as fast as both storages can handle them.
struct Dispatcher: Sendable {
    let queue: BoundedQueue<FileJob>
    let tools: TransferTools
    let paces: TransferPaces

    /// A job that both ends have room for.
    private struct Admission: Sendable {
        let job: FileJob
        let ends: [Pace]
        let permits: [Pace.Permit]
    }

    /// The limits of the latest job's ends, which mostly are the next one's.
    private struct Latest {
        typealias End = (storage: TransferEndpoint.Storage, pace: Pace)

        var source: End?
        var target: End?
    }

    func run() async throws {
        let fixed = tools.options.concurrency.map { Pace(start: $0, fixed: $0) }
        var latest = Latest()
        let calls = tools.options.filesPerSecond.map { RateLimiter(perSecond: $0, clock: tools.clock) }
        let admitted = BoundedQueue<Admission>(capacity: 1)
        try await withThrowingDiscardingTaskGroup { group in
            defer { admitted.finish() }
            while let job = await queue.receive() {
                try Task.checkCancellation()
                if !tools.options.dryRun { try tools.journal.begin() }
                try await calls?.pass(1)
                let ends = fixed.map { [$0] } ?? paces(of: job, &latest)
                var permits: [Pace.Permit] = []
                for pace in ends { permits.append(await pace.enter(bytes: job.size)) }
                let admission = Admission(job: job, ends: ends, permits: permits)
                // A task that has finished a file continues with the next: a new task would have to allocate its call
                // stack again.
                if !admitted.hand(admission) { group.addTask { try await work(admission, admitted) } }
            }
        }
    }

    private func work(_ first: Admission, _ others: BoundedQueue<Admission>) async throws {
        var next: Admission? = first
        while let admission = next {
            var moved: Int64 = 0
            do {
                defer {
                    for (pace, permit) in zip(admission.ends, admission.permits) { pace.leave(permit, moved: moved) }
                }
                moved = try await settle(admission.job, admission.ends)
            } catch {
                queue.finish(discarding: true)
                throw error
            }
            next = await others.receive()
        }
    }

    /// Returns the limits of both ends; if both are one storage, it counts once. The order is the same for all, so that
    /// transfers in opposite directions cannot wait for each other.
    private func paces(of job: FileJob, _ latest: inout Latest) -> [Pace] {
        let source = pace(of: job.source, &latest.source)
        let target = pace(of: job.target, &latest.target)
        guard source !== target else { return [source] }
        return ObjectIdentifier(source) < ObjectIdentifier(target) ? [source, target] : [target, source]
    }

    private func pace(of end: TransferEndpoint, _ latest: inout Latest.End?) -> Pace {
        if let latest, latest.storage === end.storage { return latest.pace }
        let pace = paces.pace(of: end.provider)
        latest = (end.storage, pace)
        return pace
    }

    /// Copies, and records the result; a cancelled copy is not recorded. Returns the number of bytes copied.
    ///
    /// - Throws: ``StorageGone``.
    private func settle(_ job: FileJob, _ ends: [Pace]) async throws -> Int64 {
        var copy = FileCopy(job, tools)
        do {
            let receipt = try await copy.run { for pace in ends { pace.noteOverload() } }
            await tools.ledger.ended(receipt)
            return receipt.bytes
        } catch let gone as StorageGone {
            throw gone
        } catch  where Task.isCancelled {
            return 0
        } catch {
            await tools.ledger.failed(job.source.path, copy.job.target.path, error)
            return 0
        }
    }
}
