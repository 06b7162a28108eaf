import FileProviding

/// Runs a plan from the first listing to the last removal.
struct TransferEngine: Sendable {
    let plan: TransferPlan
    let environment: TransferEnvironment
    let ledger: TransferLedger

    /// The most files named one by one that are looked up at once.
    private static let filesAtOnce = 8
    /// The most files waiting for their turn.
    private static let backlog = 256

    /// - Throws: `CancellationError`, and whatever prevents the transfer from beginning at all.
    func run() async throws -> TransferReport {
        let start = ContinuousClock.now
        let journal = try TransferJournal(
            JobIdentity(plan), in: environment.journals, isDryRun: plan.options.dryRun)
        let options = plan.options
        let tools = TransferTools(
            plan, ledger: ledger, journal: journal, retries: RetryBudget(options.retries),
            clock: environment.clock, backup: try await Backup(plan),
            bandwidth: options.bytesPerSecond.map { RateLimiter(perSecond: Double($0), clock: environment.clock) })
        do {
            try await Patience.$limit.withValue(options.retries.requestedPause) {
                try await removeLeftovers(journal, unless: { $0.state != nil })
                try await copy(tools)
            }
            if !ledger.hasBroken { try await removeLeftovers(journal, unless: { _ in false }) }
            // A moved folder that was begun is recognized by its journal: its target exists by now, but not as a
            // directory to copy into. One that was not begun must not be: what is there later is somebody's.
            let isBegunMove = plan.movesFolder && (journal.isContinued || ledger.report.hasMade)
            try journal.close(keeping: ledger.hasBroken || isBegunMove || !journal.parts.isEmpty)
        } catch is StorageGone {
            try journal.close(keeping: true)
        } catch {
            try journal.close(keeping: true)
            throw error
        }
        var report = ledger.report
        report.duration = ContinuousClock.now - start
        return report
    }

    /// Removes what an earlier run left under temporary names.
    private func removeLeftovers(_ journal: TransferJournal, unless isKept: (JournalPart) -> Bool) async throws {
        guard let target = plan.jobs.first?.target.provider else { return }
        for part in journal.parts where !isKept(part) {
            try Task.checkCancellation()
            let leftover = Leftover(part: part, provider: target, names: journal.series(for: part.target).names)
            if await leftover.remove() == nil { try journal.settle(part.target, finished: nil) }
        }
    }

    private func copy(_ tools: TransferTools) async throws {
        let mirror = plan.options.mirror.map(MirrorPlan.init)
        // Before the target exists, since then nothing else would tell what the folder is to become.
        if plan.movesFolder { try tools.journal.begin() }
        try await dispatch(tools) { try await walk($0, tools, mirror) }
        for twin in tools.twins.take() {
            try await dispatch(tools) { queue in
                let walk = TreeWalk(job: twin.job, tools: tools, queue: queue, mirror: nil)
                try await walk.runTwin(isUnlisted: twin.isUnlisted)
            }
        }
        if let mirror { try await remove(mirror, tools) }
        await finishDirectories(tools)
    }

    /// Removes what the source does not have, and copies what that was in the way of.
    private func remove(_ mirror: MirrorPlan, _ tools: TransferTools) async throws {
        guard let job = plan.jobs.first else { return }
        try await Mirroring(plan: mirror, job: job, tools: tools).remove()
        let obstructed = mirror.obstructed
        guard !obstructed.isEmpty else { return }
        try await dispatch(tools) { queue in
            for file in obstructed {
                let job = TransferPlan.Job(source: file.source, target: file.target, item: file.item)
                try await TreeWalk(job: job, tools: tools, queue: queue, mirror: nil).run(behind: mirror.gone)
            }
        }
    }

    /// The most directories that get their attributes at once.
    private static let directoriesAtOnce = 16

    /// Sets the original attributes on the directories that were created. Failures are ignored, except those of moved
    /// ones.
    private func finishDirectories(_ tools: TransferTools) async {
        let directories = tools.journal.directories
        guard !directories.isEmpty, let target = plan.jobs.first?.target,
            let provider = target.provider as? any FileProvider & AttributeProvider
        else { return }
        let characteristics = try? await target.provider.characteristics(path: target.path)
        let isComplete = tools.ledger.report.isComplete
        await withTaskGroup(of: Void.self) { group in
            for (index, directory) in directories.reversed().enumerated() {
                // What may become read-only comes after what is in it.
                if directory.source != nil || directory.attributes.permissions != nil { await group.waitForAll() }
                if index >= Self.directoriesAtOnce { await group.next() }
                group.addTask {
                    await finish(directory, at: provider, isComplete: isComplete) {
                        characteristics?.isSettable($0) ?? true
                    }
                }
            }
        }
    }

    /// - Parameter isComplete: whether nothing is missing. Otherwise the directories stay writable for the next run,
    ///   which does this again.
    private func finish(
        _ directory: MadeDirectory, at provider: any FileProvider & AttributeProvider, isComplete: Bool,
        isSettable: (FileTime) -> Bool
    ) async {
        var attributes = directory.attributes
        if !isComplete {
            attributes.permissions = attributes.permissions.map { $0 | 0o700 }
        } else if let source = directory.source, let copying = provider as? any DirectoryAttributesCopying {
            do {
                try await copying.copyAttributes(ofDirectory: source, to: directory.target)
                // The source's own time is that of the removal of its members.
                attributes.permissions = nil
            } catch  where !error.isNoSuchFile && !error.isCancellation {
                // What exists nowhere else by now is not removed with the source.
                await ledger.failed(source, directory.target, error)
            } catch {}
        }
        if let time = attributes.modificationTime, !isSettable(time) { attributes.modificationTime = nil }
        _ = try? await provider.setAttributes(attributes, of: directory.target)
    }

    /// Copies what the walk puts into the queue, while the walk continues.
    private func dispatch(
        _ tools: TransferTools, walk: @escaping @Sendable (BoundedQueue<FileJob>) async throws -> Void
    ) async throws {
        let queue = BoundedQueue<FileJob>(capacity: Self.backlog)
        let dispatcher = Dispatcher(queue: queue, tools: tools, paces: environment.paces)
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { queue.finish() }
                    try await walk(queue)
                }
                group.addTask {
                    defer { queue.finish(discarding: true) }
                    try await dispatcher.run()
                }
                // The first failure stops the other task.
                while try await group.next() != nil {}
            }
        } onCancel: {
            queue.finish(discarding: true)
        }
        try Task.checkCancellation()
    }

    private func walk(_ queue: BoundedQueue<FileJob>, _ tools: TransferTools, _ mirror: MirrorPlan?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var given: [ItemPath: GivenNames] = [:]
            for (index, job) in plan.jobs.enumerated() {
                if job.target.mayMergeNames, let name = job.target.path.lastComponent,
                    let folder = job.target.path.parent, given[folder, default: GivenNames()].give(name),
                    !job.item.isDirectory
                {
                    await tools.ledger.found([job.item])
                    tools.twins.add(job, isUnlisted: false)
                    continue
                }
                let walk = TreeWalk(job: job, tools: tools, queue: queue, mirror: mirror)
                // A folder's walk asks several things at once itself.
                if job.item.isDirectory {
                    try await walk.run()
                } else {
                    if index >= Self.filesAtOnce { try await group.next() }
                    group.addTask { try await walk.run() }
                }
            }
            try await group.waitForAll()
        }
        guard let mirror, let job = plan.jobs.first else { return }
        for file in try await Mirroring(plan: mirror, job: job, tools: tools).move() { await queue.send(file) }
    }
}
