import FileProviders
import Foundation

/// Moves one item: renamed by its storage if both ends are on the same one, otherwise copied, verified and then
/// removed.
struct Moving {
    private let source: Endpoint
    /// The path that the item is moved to, not the folder that contains it.
    let target: Endpoint
    private let options: CopyOptions
    private let conflicts: ConflictOptions
    private let invocation: Invocation

    init(
        _ source: Endpoint, to target: Endpoint, _ options: CopyOptions, _ conflicts: ConflictOptions,
        _ invocation: Invocation
    ) {
        self.source = source
        self.target = target
        self.options = options
        self.conflicts = conflicts
        self.invocation = invocation
    }

    /// - Parameter sum: the results are added to it, even if something is thrown afterwards.
    func run(adding sum: inout TransferReport) async throws {
        if try await source.isWholeStorage() {
            throw Refusal(source.location.description, "a storage's root cannot be moved", isAboutAccess: false)
        }
        if source.meansContents {
            throw Refusal(
                source.location.description, "a folder is not moved by “.”", remedy: "write its name, or what is in it",
                isAboutAccess: false)
        }
        if options.symlinks == .follow {
            throw Refusal(
                source.location.description, "mv moves links themselves: what they point to is not its to remove",
                remedy: "`fp cp --symlinks follow` copies it", isAboutAccess: false)
        }
        if let path = pathAtTarget {
            try await rename(path, adding: &sum)
        } else {
            try await copyAndRemove(adding: &sum)
        }
    }

    /// The source's path in the target's provider, if both are the same storage.
    private var pathAtTarget: ItemPath? {
        let (mine, theirs) = (source.provider.identity, target.provider.identity)
        guard mine.sharesStorage(with: theirs) else { return nil }
        return mine.root.appending(source.path).relative(to: theirs.root)
    }

    private func rename(_ path: ItemPath, adding sum: inout TransferReport) async throws {
        guard try await !isSkipped(path) else {
            sum.skipped += 1
            return
        }
        guard !options.dryRun else {
            try await plan(rename: path)
            sum.moved += 1
            return
        }
        do {
            try await target.provider.moveItem(
                path: path, to: target.path, overwrite: conflicts.overwrite || conflicts.update)
        } catch let error where error.isFileExists && !conflicts.overwrite {
            throw exists
        } catch let error where error.isMissingFolder {
            // The error is about the target, unless it is about the source.
            _ = try await target.provider.attributesOfItem(path: path)
            throw Refusal.missingFolder(of: target.location.description)
        }
        try report()
        sum.moved += 1
    }

    /// Reports what would be done, or fails as the move would.
    private func plan(rename path: ItemPath) async throws {
        let item = try await target.provider.attributesOfItem(path: path)
        let existing: FileObject?
        do {
            existing = try await target.provider.attributesOfItem(path: target.path)
        } catch let error where error.isNoSuchFile {
            existing = nil
            if let parent = target.path.parent { _ = try await target.provider.attributesOfItem(path: parent) }
            try await target.provider.checkName(ofNew: target.path, isDirectory: item.isDirectory)
        }
        if let existing {
            guard conflicts.overwrite || conflicts.update else { throw exists }
            guard !existing.isDirectory, !item.isDirectory else { throw FileError.exists(target.path) }
        }
        guard !options.json else { return try report(isPlanned: true) }
        try invocation.output.line("would move \(source.location.description) -> \(target.location.description)")
    }

    private var exists: Refusal {
        Refusal(
            target.location.description, "the item exists already", remedy: "--overwrite replaces it",
            isAboutAccess: false)
    }

    private func report(isPlanned: Bool = false) throws {
        if options.json {
            var line = JSONLine()
            line.add("event", "moved")
            if isPlanned { line.add("planned", true) }
            line.add("source", exact: source.location.text)
            line.add("target", exact: target.location.text)
            try invocation.output.write(line.line)
        } else if options.verbose {
            invocation.messages.notice("\(source.location.description) -> \(target.location.description)")
        }
    }

    /// Returns whether an existing target is to stay as it is.
    private func isSkipped(_ path: ItemPath) async throws -> Bool {
        guard conflicts.skipExisting || conflicts.update else { return false }
        do {
            let existing = try await target.provider.attributesOfItem(path: target.path)
            guard conflicts.update else { return true }
            let item = try await source.provider.attributesOfItem(path: source.path)
            guard let mine = item.modificationTime, let theirs = existing.modificationTime else { return true }
            return mine <= theirs
        } catch let error where error.isNoSuchFile {
            return false
        }
    }

    /// Returns whether an earlier run of this move, to this target, has not finished, whatever it was to do with
    /// existing files.
    func isInterrupted() async throws -> Bool {
        guard !source.path.isRoot, pathAtTarget == nil else { return false }
        return try await !interrupted(plan()).isEmpty
    }

    private func interrupted(_ plan: TransferPlan) throws -> [TransferPlan] {
        guard let journals = invocation.surroundings.journals else { return [] }
        let plans = TransferOptions.ConflictRule.allCases.map { rule in
            var plan = plan
            plan.options.conflict = rule
            // Also for a dry run, which reports what the move would do.
            (plan.options.removesSources, plan.options.dryRun) = (true, false)
            return plan
        }
        return try plans.filter(journals.isUnfinished)
    }

    private func plan() async throws -> TransferPlan {
        var copying = options.transferOptions(verification: .hash, conflicts, invocation.access.options)
        copying.recursive = true
        copying.flush = true
        copying.removesSources = !options.dryRun
        return try await TransferPlan(from: [source.transferEnd], to: target.transferEnd, options: copying)
    }

    private func copyAndRemove(adding sum: inout TransferReport) async throws {
        let plan = try await plan()
        if !options.dryRun {
            // This run takes over.
            for other in try interrupted(plan) where other.options.conflict != plan.options.conflict {
                try await Transfer.discard(other, in: invocation.surroundings)
            }
        }
        let leftovers = MoveLeftovers(source: source, target: target)
        let run = TransferRun(invocation, options, source: source, target: target) { leftovers.note($0) }
        let report = try await run.run(plan)
        sum = sum.adding(report)
        if !options.json {
            invocation.messages.notice(TransferLines.summary(report, verb: options.dryRun ? "to move" : "moved"))
        }
        guard !options.dryRun, !report.isCutShort else { return }
        let lines = TransferLines(source: source, target: target)
        var isComplete = report.isComplete
        try await leftovers.remove { receipt in
            isComplete = false
            sum.failures.append(receipt)
            if let error = lines.error(of: receipt) { invocation.failed(error, at: lines.place(of: receipt)) }
            if options.json { try invocation.output.write(lines.json(receipt)) }
        }
        if isComplete { try await Transfer.discard(plan, in: invocation.surroundings) }
    }
}
