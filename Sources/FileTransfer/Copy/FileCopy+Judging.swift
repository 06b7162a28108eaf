import FileProviding

/// Whether there is something to copy, judged again when the target turns out to be another one than was listed.
extension FileCopy {
    /// How often a file that others change all the time is judged again.
    static let mostChanges = 3

    /// The version of the existing file that the decision to replace it was about: what is put there between the
    /// comparison and the replacement may be newer than the source, and is not in the backup. `nil` if any may be
    /// replaced.
    func expected(_ attempts: Attempts) -> FileVersion? {
        guard options.conflict == .update || options.mirror != nil, !attempts.ignoresVersion,
            let existing = job.existing, existing.isRegularFile
        else { return nil }
        return existing.version
    }

    /// Decides again about a target that is no longer what it was when it was judged.
    ///
    /// - Returns: `nil` when the file is to be copied all the same, or to be compared first.
    /// - Throws: `error` when it is about the source, or the target changes all the time.
    mutating func judgeChanged(_ error: any Error, _ attempts: inout Attempts) async throws -> TransferReceipt? {
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
    mutating func judgeUnlisted(_ error: any Error) async throws -> TransferReceipt? {
        guard try await job.target.listsThisName() else { throw error }
        job.existing = try await job.target.provider.attributesOfItem(path: job.target.path)
        return try await judged()
    }

    /// Decides about the target as it is now.
    ///
    /// - Returns: `nil` when the file is to be copied, or to be compared first.
    /// - Throws: when it must not be replaced.
    mutating func judged() async throws -> TransferReceipt? {
        let judge = try await Judge(TransferPlan.Job(source: job.source, target: job.target, item: job.item), tools)
        switch await judge.decide(job) {
        case .copy: break
        case .compare: job.judge = judge
        case .leave(let outcome, let note, _): return receipt(leaving: outcome, note)
        case .fail(let error): throw error
        }
        return nil
    }

    /// Compares the bytes if nothing else tells whether there is something to copy.
    ///
    /// - Returns: `nil` when there is.
    /// - Throws: when the existing file must not be replaced.
    mutating func compared() async throws -> TransferReceipt? {
        guard let judge = job.judge else { return nil }
        if !options.removesSources, tools.keptTimes.tell(job) {
            job.judge = nil
            return receipt(leaving: .unchanged, Sameness.sameTime)
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

    func receipt(leaving outcome: TransferReceipt.Outcome, _ note: String) -> TransferReceipt {
        TransferReceipt(
            source: job.source.path, target: job.target.path, outcome: outcome, size: job.item.size, note: note)
    }
}
