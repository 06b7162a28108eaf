import FileProviding
import Foundation

/// Walks a source and its target in lockstep and queues what differs.
///
/// A few directories are processed at once, each with both of its listings in parallel; copying begins while others are
/// still being listed.
struct TreeWalk: Sendable {
    private(set) var job: TransferPlan.Job
    let tools: TransferTools
    let queue: BoundedQueue<FileJob>
    let mirror: MirrorPlan?

    /// The number of directories processed at once: enough to hide a round trip, few enough to keep the queue short.
    private static let width = 8

    var options: TransferOptions { tools.options }

    /// - Parameter gone: what an earlier walk, which has counted the item, has removed to make room for it, or would
    ///   have removed in a dry run.
    func run(behind gone: Set<ItemPath>? = nil) async throws {
        do {
            let hasRoom = gone?.contains(job.target.path.asItem) ?? false
            if gone != nil, !hasRoom {
                throw cocoaError(
                    job.target.path, code: .fileWriteFileExists, reason: "what stands in its way was not removed")
            }
            let existing = hasRoom && options.dryRun ? nil : try await targetItem()
            if gone == nil { await tools.ledger.found([job.item]) }
            var walk = self
            if options.names == .map, let existing {
                walk.job.target.path = existing.path
                mirror?.follow(existing.path)
                tools.backup?.follow(existing.path)
            }
            try await walk.run(existing: existing)
        } catch  where !error.endsTransfer {
            try await tools.failed(job.source, job.target, error)
        }
    }

    /// Copies a file whose name the destination may take for another item's, once that is there.
    ///
    /// - Parameter isUnlisted: whether the destination is known not to list the name.
    func runTwin(isUnlisted: Bool) async throws {
        do {
            let existing = try await targetItem()
            if existing != nil {
                guard !isUnlisted, try await job.target.listsThisName() else { throw job.target.twinError }
            }
            try await run(existing: existing)
        } catch  where !error.endsTransfer {
            try await tools.failed(job.source, job.target, error)
        }
    }

    private func run(existing: FileObject?) async throws {
        if options.dryRun, existing == nil { try await requireParent() }
        if job.item.type == .unknown {
            throw cocoaError(job.source.path, code: .fileReadUnknown, reason: "neither file, directory nor link")
        } else if job.item.isDirectory {
            try await walkTree(existing: existing)
        } else {
            let judge = try await Judge(job, tools)
            await offer(FileJob(source: job.source, target: job.target, item: job.item, existing: existing), judge)
        }
    }

    /// Returns the item at the target; if names are mapped, also looks under the name that an earlier run had to give
    /// it.
    private func targetItem() async throws -> FileObject? {
        let path = job.target.path.asItem
        if let item = try await targetItem(path) { return item }
        guard options.names == .map, let parent = path.parent,
            let mapped = path.lastComponent.flatMap(NameMapping.mapped)
        else { return nil }
        return try await targetItem(parent.appending(mapped))
    }

    private func targetItem(_ path: ItemPath) async throws -> FileObject? {
        do { return try await job.target.provider.attributesOfItem(path: path) } catch
            where error.isNoSuchFile || options.names == .map && error.isInvalidFileName
        { return nil }
    }

    /// Throws, in a dry run, what the copy would if there is no directory for the target.
    private func requireParent() async throws {
        guard let parent = job.target.path.parent else { return }
        let path = job.target.path
        do {
            let found = try await job.target.provider.attributesOfItem(path: parent.asItem)
            guard !found.isRegularFile else {
                throw cocoaError(
                    path, code: .fileNoSuchFile, reason: "what should hold it is not a directory",
                    underlying: POSIXError(.ENOTDIR))
            }
        } catch  where error.isNoSuchFile && error.underlyingPOSIX != .ENOTDIR {
            throw FileError.noSuchFile(path, writing: true)
        }
    }

    private func walkTree(existing: FileObject?) async throws {
        if !options.dryRun {
            try await tools.probe.requireOutside(job, existing: existing)
            if let existing, mirror?.rule.deletes == true { try await tools.probe.requireSourceOutside(job, existing) }
        }
        var top = DirectoryPair(
            source: job.source.path.asDirectory, target: job.target.path.asDirectory, existing: existing,
            permissions: job.item.permissions, modificationTime: job.item.modificationTime)
        if options.symlinks == .follow { top.real = try await LinkResolution.realEndpoint(job.source).path }
        if try await isCopiedWhole(&top, job.item) { return }
        // The failed attempt may have created the target.
        if top.isInPieces { top.existing = try await targetItem() }
        top.isInPieces = top.isInPieces || !(job.target.provider is any FileProviderLocalAccess)
        let judge = try await Judge(job, tools)
        // Depth first: this keeps the list of directories still to walk as short as the tree is deep and wide.
        var pending = [top]
        try await withThrowingTaskGroup(of: [DirectoryPair].self) { group in
            var active = 0
            while !pending.isEmpty || active > 0 {
                while active < Self.width, let pair = pending.popLast() {
                    active += 1
                    group.addTask { try await walk(pair, judge) }
                }
                if let below = try await group.next() { pending.append(contentsOf: below) }
                active -= 1
            }
        }
    }

    /// Walks a directory; a failure before anything was queued is tried again.
    private func walk(_ pair: DirectoryPair, _ judge: Judge) async throws -> [DirectoryPair] {
        let source = job.source.at(pair.source)
        let target = job.target.at(pair.target)
        var walk = DirectoryWalk(tree: self, pair: pair, judge: judge)
        var attempts = 0
        while true {
            try Task.checkCancellation()
            do { return try await walk.run() } catch  where !error.endsTransfer {
                let isOver = try await tools.isOutageOver(behind: error, source, target)
                attempts += 1
                // A server that was silent about a listing for long mostly is again.
                guard error.isTransient, !walk.hasBegun, !error.isTimeout || isOver || attempts == 1,
                    tools.retries.mayRepeat(after: attempts, isOutageOver: isOver)
                else {
                    await tools.ledger.failed(pair.source, pair.target, error)
                    return []
                }
                try await tools.clock.sleep(for: tools.retries.pause(after: attempts))
            }
        }
    }

    /// Finishes a file that needs no copy, and queues any other.
    func offer(_ file: FileJob, _ judge: Judge) async {
        switch await judge.decide(file) {
        case .leave(let outcome, let note, let isUnfit):
            var receipt = TransferReceipt(source: file.source.path, target: file.target.path, outcome: outcome)
            receipt.note = note
            receipt.isUnfit = isUnfit
            receipt.size = file.item.size
            await tools.ledger.ended(receipt)
        case .fail(let error):
            await tools.ledger.failed(file.source.path, file.target.path, error)
        case .compare:
            var file = file
            file.judge = judge
            await queue.send(file)
        case .copy:
            if let mirror, mirror.holdsBack(file) { return }
            await queue.send(file)
        }
    }
}
