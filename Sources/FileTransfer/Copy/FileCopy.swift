import FileProviding
import Foundation

/// Copies one file, link or whole directory in the fastest way that both ends allow, verifies the result, and tries
/// again after temporary failures.
struct FileCopy: Sendable {
    var job: FileJob
    let tools: TransferTools
    private let progress: OperationProgress
    var names: TemporaryName.Series
    /// The number of bytes that were there before the first attempt.
    private let present = Locked<Int64?>(nil)

    init(_ job: FileJob, _ tools: TransferTools) {
        self.job = job
        self.tools = tools
        let ledger = tools.ledger
        progress = ledger.progress(of: job)
        names = tools.journal.series(for: job.target.path)
    }

    var options: TransferOptions { tools.options }
    private var isLink: Bool { job.item.isSymLink && options.symlinks == .copy }

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
}
