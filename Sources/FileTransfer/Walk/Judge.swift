import FileProviding

/// Decides what to do with a file when both ends are known.
struct Judge: Sendable {
    enum Decision {
        case copy
        /// Only comparing the bytes tells; see ``Judge/decide(_:isSame:)``.
        case compare
        case leave(TransferReceipt.Outcome, String, isUnfit: Bool = false)
        case fail(any Error)
    }

    private var sameness: Sameness
    private let options: TransferOptions
    private let journal: TransferJournal
    private let keptTimes: KeptTimes

    init(_ job: TransferPlan.Job, _ tools: TransferTools) async throws {
        options = tools.options
        journal = tools.journal
        keptTimes = tools.keptTimes
        sameness = Sameness(
            destination: try await job.target.provider.characteristics(path: job.target.path),
            source: try await job.source.provider.characteristics(path: job.source.path))
    }

    /// Whether the destination's directories keep the times and permissions that they are given, as file systems do: on
    /// other servers the times are those of what is in them.
    var keepsDirectoryAttributes: Bool { sameness.destination.keepsPermissions }

    /// Returns whether an item of this kind is copied at all; if not, what is in its place stays.
    func takes(_ file: FileJob) -> Bool { unfitness(of: file) == nil }

    private func unfitness(of file: FileJob) -> Decision? {
        if file.item.type == .unknown { return .leave(.skipped, "neither file, directory nor link", isUnfit: true) }
        guard file.item.isSymLink else { return nil }
        switch options.symlinks {
        case .follow: return nil
        case .skip: return .leave(.skipped, "symbolic link")
        case .copy: return LinkCopy(job: file).obstacle.map { .leave(.skipped, $0, isUnfit: true) }
        }
    }

    /// Decides about a file. A destination of which only trying tells whether it keeps times is tried before a file is
    /// refused, replaced or left because of its time; not in a dry run, which writes nothing.
    func decide(_ file: FileJob) async -> Decision {
        guard let existing = file.existing, rule == .refuse || options.mirror != nil, !options.dryRun,
            file.target.provider is any TimeKeeping,
            let evidence = sameness.timeEvidence(file.item, existing),
            await !keptTimes.areKept(at: file.target, isLikely: evidence == .equal)
        else { return verdict(file) }
        var judge = self
        judge.sameness = sameness.withoutTimes
        return judge.verdict(file)
    }

    private func verdict(_ file: FileJob) -> Decision {
        if let unfit = unfitness(of: file) { return unfit }
        guard let existing = file.existing else { return .copy }
        if existing.isDirectory { return .fail(FileError.isADirectory(file.target.path, writing: true)) }
        if existing.type == .unknown, rule != .skip {
            return .fail(FileError.specialFile(file.target.path))
        }
        // A caller who insists on replacing gets more than a guess.
        let isCertain = rule == .overwrite && options.mirror == nil
        // If the source is removed afterwards, the same size and time are not enough: compare the bytes.
        if isCertain, options.removesSources, file.item.isRegularFile, existing.isRegularFile,
            !isFinished(file, existing)
        {
            return existing.size == file.item.size ? .compare : .copy
        }
        if let reason = reasonToLeave(file, existing, isCertain: isCertain) { return .leave(.unchanged, reason) }
        // What would not be replaced anyway is not read.
        let isOpen = rule != .skip && (rule != .update || isNewer(file.item, existing) != nil || options.removesSources)
        if !isCertain, isOpen, sameness.isDoubtful(file.item, existing) { return .compare }
        return decide(file, replacing: existing)
    }

    /// Decides what to do with a file whose bytes have been compared with the existing one's.
    func decide(_ file: FileJob, isSame: Bool) -> Decision {
        guard let existing = file.existing else { return .copy }
        return isSame ? .leave(.unchanged, "same contents") : decide(file, replacing: existing)
    }

    private var rule: TransferOptions.ConflictRule { options.mirror == nil ? options.conflict : .overwrite }

    private func decide(_ file: FileJob, replacing existing: FileObject) -> Decision {
        switch rule {
        case .overwrite: return .copy
        case .skip: return .leave(.skipped, "exists")
        case .update:
            guard let isNewer = isNewer(file.item, existing) else { return .leave(.skipped, "not known to be newer") }
            return isNewer ? .copy : .leave(.skipped, "not newer")
        case .refuse:
            return .fail(
                cocoaError(
                    file.target.path, code: .fileWriteFileExists, reason: "and is not the same",
                    underlying: TransferRefusal.otherFile))
        }
    }

    private func isNewer(_ item: FileObject, _ existing: FileObject) -> Bool? {
        guard let mine = item.modificationTime, let theirs = existing.modificationTime else { return nil }
        return mine > theirs
    }

    /// Returns whether the target is the copy that an interrupted run finished.
    private func isFinished(_ file: FileJob, _ existing: FileObject) -> Bool {
        // A version without tag and time may be any other.
        guard file.item.version.isTelling, existing.size == file.item.size,
            let left = journal.finished(file.target.path, file.item.version)
        else { return false }
        return sameness.isStill(left, file.item, existing)
    }

    private func reasonToLeave(_ file: FileJob, _ existing: FileObject, isCertain: Bool) -> String? {
        if isFinished(file, existing) { return "copied by the interrupted run" }
        let reason = sameness.reason(file.item, existing, isCertain: isCertain)
        if reason == Sameness.notNewer { keptTimes.refute() }
        return reason
    }
}
