import FileProviding
import Foundation

/// Copies one file, link or whole directory in the fastest way that both ends allow, verifies the result, and tries
/// again after temporary failures.
struct FileCopy: Sendable {
    private(set) var job: FileJob
    let tools: TransferTools
    private let progress: OperationProgress
    private var names: TemporaryName.Series
    /// The number of bytes that were there before the first attempt.
    private let present = Locked<Int64?>(nil)

    init(_ job: FileJob, _ tools: TransferTools) {
        self.job = job
        self.tools = tools
        let ledger = tools.ledger
        progress = ledger.progress(of: job)
        names = tools.journal.series(for: job.target.path)
    }

    private var options: TransferOptions { tools.options }
    private var isLink: Bool { job.item.isSymLink && options.symlinks == .copy }

    /// What has come of the attempts so far.
    private struct Attempts {
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

    /// How often a file that others change all the time is judged again.
    private static let mostChanges = 3

    /// - Parameter onOverload: called when the storage asks for fewer requests.
    /// - Throws: what the last attempt threw. What can be continued is then in the journal.
    mutating func run(onOverload: @Sendable () -> Void) async throws -> TransferReceipt {
        try Task.checkCancellation()
        guard !options.dryRun else { return try await foresee() }
        await tools.ledger.began(job, progress)
        var attempts = Attempts()
        while true {
            let begin = ContinuousClock.now
            do {
                return try await attempt(&attempts)
            } catch  where error.isInvalidFileName && map() {
                continue
            } catch  where error.isFileExists && job.existing == nil && !job.item.isDirectory {
                try await giveUp(error)
                if let receipt = try await judgeUnlisted(error) { return receipt }
                attempts.hasBackup = false
            } catch  where error.isItemChanged && expected(attempts) != nil {
                try await giveUp(error)
                if let receipt = try await judgeChanged(error, &attempts) { return receipt }
            } catch  where isLink && error.isUnsupported {
                try await giveUp(error)
                return TransferReceipt(
                    source: job.source.path, target: job.target.path, outcome: .skipped, isUnfit: true,
                    note: LinkCopy.noLinksThere)
            } catch
                where error.isTransient && !Task.isCancelled && tools.retries.mayRepeat(after: attempts.failures + 1)
            {
                if error.isOverload { onOverload() }
                try await pause(after: error, begunAt: begin, &attempts)
            } catch {
                try await waitForEndOfOutage(behind: error, &attempts)
            }
        }
    }

    /// Returns what a real run would do.
    private mutating func foresee() async throws -> TransferReceipt {
        if let receipt = try await compared() { return receipt }
        try await foreseeName()
        return TransferReceipt(
            source: job.source.path, target: job.target.path, outcome: .copied, bytes: job.size)
    }

    private mutating func attempt(_ attempts: inout Attempts) async throws -> TransferReceipt {
        if let receipt = try await compared() { return receipt }
        if options.removesSources, job.existing != nil {
            try await tools.probe.requireApart(job.source, job.target)
        }
        return try await TemporaryName.$series.withValue(names) {
            // Only once: by the next attempt the new file may have replaced the old one.
            if !attempts.hasBackup { try await keepOld() }
            attempts.hasBackup = true
            return try await copy(isRepeat: attempts.failures > 0, expecting: expected(attempts))
        }
    }

    /// The version of the existing file that the decision to replace it was about: what is put there between the
    /// comparison and the replacement may be newer than the source, and is not in the backup. `nil` if any may be
    /// replaced.
    private func expected(_ attempts: Attempts) -> FileVersion? {
        guard options.conflict == .update || options.mirror != nil, !attempts.ignoresVersion,
            let existing = job.existing, existing.isRegularFile
        else { return nil }
        return existing.version
    }

    /// Decides again about a target that is no longer what it was when it was judged.
    ///
    /// - Returns: `nil` when the file is to be copied all the same, or to be compared first.
    /// - Throws: `error` when it is about the source, or the target changes all the time.
    private mutating func judgeChanged(_ error: any Error, _ attempts: inout Attempts) async throws -> TransferReceipt?
    {
        let old = job.existing
        do { job.existing = try await job.target.provider.attributesOfItem(path: job.target.path) } catch
            where error.isNoSuchFile
        { job.existing = nil }
        attempts.changes += 1
        guard attempts.changes <= Self.mostChanges else { throw error }
        if let old, let present = job.existing, old.version.matches(present) {
            // Either the source has changed, which the next attempt notices too, or the storage means another version
            // than it says.
            attempts.ignoresVersion = true
            return nil
        }
        let receipt = try await judged()
        // What an earlier attempt has written, whose reply was lost, is written again, and is not what was replaced.
        if attempts.failures > 0, receipt?.outcome == .unchanged { return nil }
        attempts.hasBackup = false
        return receipt
    }

    /// Decides about an existing file that was not there when the folder was listed, or that the destination does not
    /// list, or lists by another name that it does not distinguish from this one: that may be another file of this very
    /// transfer.
    ///
    /// - Returns: `nil` when the file is to be copied all the same, or to be compared first.
    /// - Throws: `error` when it has another name.
    private mutating func judgeUnlisted(_ error: any Error) async throws -> TransferReceipt? {
        guard try await job.target.listsThisName() else { throw error }
        job.existing = try await job.target.provider.attributesOfItem(path: job.target.path)
        return try await judged()
    }

    /// Decides about the target as it is now.
    ///
    /// - Returns: `nil` when the file is to be copied, or to be compared first.
    /// - Throws: when it must not be replaced.
    private mutating func judged() async throws -> TransferReceipt? {
        let judge = try await Judge(TransferPlan.Job(source: job.source, target: job.target, item: job.item), tools)
        switch await judge.decide(job) {
        case .copy: break
        case .compare: job.judge = judge
        case .leave(let outcome, let note, _): return receipt(leaving: outcome, note)
        case .fail(let error): throw error
        }
        return nil
    }

    /// Waits before the next attempt.
    ///
    /// - Throws: when there is to be none, because the storage is gone or the task is cancelled.
    private func pause(
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
    private func waitForEndOfOutage(behind error: any Error, _ attempts: inout Attempts) async throws {
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

    /// Compares the bytes if nothing else tells whether there is something to copy.
    ///
    /// - Returns: `nil` when there is.
    /// - Throws: when the existing file must not be replaced.
    private mutating func compared() async throws -> TransferReceipt? {
        guard let judge = job.judge else { return nil }
        if !options.removesSources, tools.keptTimes.tell(job) {
            job.judge = nil
            return receipt(leaving: .unchanged, "same size and time")
        }
        let isSame = try await Verifier(job: job, path: job.target.path, options: options).isSame()
        job.judge = nil
        if isSame { tools.keptTimes.note(job) }
        switch judge.decide(job, isSame: isSame) {
        case .leave(let outcome, let note, _): return self.receipt(leaving: outcome, note)
        case .fail(let error): throw error
        case .copy, .compare: return nil
        }
    }

    private func receipt(leaving outcome: TransferReceipt.Outcome, _ note: String) -> TransferReceipt {
        TransferReceipt(
            source: job.source.path, target: job.target.path, outcome: outcome, size: job.item.size, note: note)
    }

    private func outage(behind error: any Error) async -> Outage {
        await tools.outage(behind: error, job.source, job.target)
    }

    /// Handles, in a dry run, a name that the destination cannot hold as a real run would.
    private mutating func foreseeName() async throws {
        guard job.existing == nil else { return }
        do {
            try await job.target.provider.checkName(ofNew: job.target.path, isDirectory: job.item.isDirectory)
        } catch  where error.isInvalidFileName && map() {}
    }

    /// Gives the target a name that the destination can hold, if that is wanted and was not tried yet; returns whether
    /// it did.
    private mutating func map() -> Bool {
        guard options.names == .map, let name = job.target.path.lastComponent, let parent = job.target.path.parent,
            let mapped = NameMapping.mapped(name)
        else { return false }
        try? tools.journal.settle(job.target.path, finished: nil)
        job.target.path = parent.appending(mapped)
        names = tools.journal.series(for: job.target.path)
        return true
    }

    private func copy(isRepeat: Bool, expecting expected: FileVersion?) async throws -> TransferReceipt {
        var receipt = TransferReceipt(source: job.source.path, target: job.target.path, outcome: .copied)
        if isLink {
            if job.existing != nil { try await note(isSelfEvident: false) }
            do { try await LinkCopy(job: job, flushes: options.flush, isMove: options.removesSources).run() } catch
                where isRepeat && error.isFileExists
            {
                // Either the reply was lost but the link was made, or somebody else was faster.
                let made = try await job.target.provider.attributesOfItem(path: job.target.path)
                guard made.linkTarget != nil, made.linkTarget == job.item.linkTarget else { throw error }
            }
            if isRepeat { await removeEarlierAttempts() }
            try noteNew()
            try tools.journal.settle(job.target.path, finished: nil)
            if options.removesSources { try await removeSource() }
            return receipt
        }
        let isSelfEvident = isSelfEvident
        try await note(isSelfEvident: isSelfEvident)
        let start = ContinuousClock.now
        let way = CopyAttempt(
            job: job, tools: tools, progress: progress, present: present, isRepeat: isRepeat, expected: expected)
        let result = try await way.run()
        receipt.assurance = result.assurance
        receipt.resumedAt = result.resumedAt
        receipt.bytes = result.bytes
        receipt.isWholeDirectory = job.item.isDirectory
        if isRepeat { await removeEarlierAttempts() }
        let isPlain = isSelfEvident && result.written?.modificationTime == job.item.modificationTime
        try noteNew()
        try tools.journal.settle(
            job.target.path, finished: isPlain ? nil : job.item.version, as: result.written,
            writtenIn: ContinuousClock.now - start)
        if options.removesSources, !result.sourceIsGone {
            if case .unverified(let reason) = result.assurance, job.item.isRegularFile, options.verification != .none {
                throw cocoaError(
                    job.source.path, code: .fileWriteUnknown,
                    reason: "it was copied and is kept, since the copy cannot be verified: \(reason)")
            }
            try await removeSource()
        }
        return receipt
    }

    private func keepOld() async throws {
        guard let backup = tools.backup, let existing = job.existing else { return }
        try await backup.keep(existing, copying: true)
    }

    /// Removes the source if it is still what was copied; anything added to it in the meantime exists nowhere else. A
    /// source that is already gone is fine.
    private func removeSource() async throws {
        do {
            try await job.source.provider.remove(job.source.path, ifStill: job.item)
        } catch let error as CocoaError where [.fileWriteNoPermission, .fileWriteVolumeReadOnly].contains(error.code) {
            throw cocoaError(
                job.source.path, code: error.code, reason: "it was copied, but may not be removed", underlying: error)
        } catch  where error.isNoSuchFile {}
    }

    /// Records what another run of a mirror that removes items has to know.
    private func noteNew() throws {
        if options.mirror?.deletes ?? false, job.existing == nil { try tools.journal.note(new: job.target.path) }
    }

    /// Records in the journal that the file is being copied, so that the next run knows what a crash may have left.
    private func note(isSelfEvident: Bool) async throws {
        let known = tools.journal.part(for: job.target.path)
        if let known, known.state != nil, !known.continues(job.item.version, boot: tools.journal.boot) {
            await Leftover(part: known, provider: job.target.provider, names: names.names).remove()
            try tools.journal.settle(job.target.path, finished: nil)
        }
        guard !isSelfEvident else { return }
        var part =
            tools.journal.part(for: job.target.path) ?? JournalPart(target: job.target.path, version: job.item.version)
        // One attempt uses up to two names: for the bytes, and for moving them into place.
        part.names = names.count + 2
        try tools.journal.save(part)
    }

    /// Whether the next run can tell without the journal what became of the file: a new local file gets its name when
    /// it is complete and has its modification time.
    private var isSelfEvident: Bool {
        job.existing == nil && job.item.isRegularFile && job.item.size != nil && job.size < CopyAttempt.resumableSize
            && job.item.modificationTime != nil && job.target.storage.openFiles != nil
    }

    /// Removes what earlier attempts left: one that broke off after its last byte may have left a name that a later one
    /// did not reuse.
    private func removeEarlierAttempts() async {
        let part = JournalPart(target: job.target.path, version: job.item.version)
        await Leftover(part: part, provider: job.target.provider, names: names.names).remove()
    }

    /// Keeps what the next run can continue, and removes the rest; what this run cannot remove is left to the next one.
    private func giveUp(_ error: any Error) async throws {
        guard let part = tools.journal.part(for: job.target.path) else { return }
        let isContinued = error.isContinuable || error.endsTransfer || Task.isCancelled
        if tools.journal.isDurable, tools.ledger.isCutShort || part.state != nil && isContinued { return }
        let leftover = Leftover(part: part, provider: job.target.provider, names: names.names)
        if await leftover.remove() == nil { try tools.journal.settle(job.target.path, finished: nil) }
    }
}
