import FileProviding

/// Decides what becomes of a file of which both ends are known.
struct Judge: Sendable {
    enum Decision {
        case copy
        case leave(TransferReceipt.Outcome, String, isUnfit: Bool = false)
        case fail(any Error)
    }

    private let sameness: Sameness
    private let options: TransferOptions
    private let journal: TransferJournal

    init(_ job: TransferPlan.Job, _ tools: TransferTools) async throws {
        options = tools.options
        journal = tools.journal
        sameness = Sameness(
            destination: try await job.target.provider.characteristics(path: job.target.path),
            source: try await job.source.provider.characteristics(path: job.source.path))
    }

    /// Whether an item of this kind is copied at all.
    func takes(_ item: FileObject) -> Bool { !isUnwanted(item) && item.type != .unknown }

    private func isUnwanted(_ item: FileObject) -> Bool { item.isSymLink && options.symlinks == .skip }

    func decide(_ file: FileJob) -> Decision {
        if isUnwanted(file.item) { return .leave(.skipped, "symbolic link") }
        if file.item.type == .unknown { return .leave(.skipped, "neither file, directory nor link", isUnfit: true) }
        guard let existing = file.existing else { return .copy }
        if existing.isDirectory { return .fail(FileError.isADirectory(file.target.path, writing: true)) }
        let rule = options.mirror == nil ? options.conflict : .overwrite
        // Who insists on replacing gets more than a guess.
        let isCertain = rule == .overwrite && options.mirror == nil
        if let reason = reasonToLeave(file, existing, isCertain: isCertain) { return .leave(.unchanged, reason) }
        // What an interrupted run began to replace was settled then.
        if journal.part(for: file.target.path) != nil { return .copy }
        switch rule {
        case .overwrite: return .copy
        case .skip: return .leave(.skipped, "exists")
        case .update:
            guard let mine = file.item.modificationTime, let theirs = existing.modificationTime, mine <= theirs else {
                return .copy
            }
            return .leave(.skipped, "not newer")
        case .refuse:
            return .fail(
                cocoaError(file.target.path, code: .fileWriteFileExists, reason: "and is not the same; see --overwrite")
            )
        }
    }

    private func reasonToLeave(_ file: FileJob, _ existing: FileObject, isCertain: Bool) -> String? {
        if existing.size == file.item.size, journal.isFinished(file.target.path, file.item.version) {
            return "copied by the interrupted run"
        }
        if let reason = sameness.reason(file.item, existing, isCertain: isCertain) { return reason }
        let isSameLink = file.item.isSymLink && existing.isSymLink && file.item.linkTarget == existing.linkTarget
        return isSameLink && file.item.linkTarget != nil ? "same link" : nil
    }
}
