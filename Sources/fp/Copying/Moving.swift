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
    func run(adding sum: inout MoveReport) async throws {
        if try await source.isWholeStorage() {
            throw Refusal(source.location.description, "a storage's root cannot be moved", isAboutAccess: false)
        }
        if source.isNamedByDots {
            throw Refusal(
                source.location.description, "a folder is not moved by “.” or “..”",
                remedy: "write its name, or what is in it", isAboutAccess: false)
        }
        try await source.refuseSlash(verb: "moved")
        if target.provider is MemoryFileProvider, !(source.provider is MemoryFileProvider) {
            throw Refusal(
                target.location.description, "what is in memory is gone when fp ends, so nothing is moved there",
                remedy: "`fp cp` copies it, `fp rm` removes it", isAboutAccess: false)
        }
        if target.path.namesDirectory, !target.path.isRoot, try await !isFolder(source) {
            throw Refusal.missingFolder(of: target.location.description)
        }
        if let path = pathAtTarget, try await !isInterrupted(), try await isRenamed(path, adding: &sum) { return }
        try await copyAndRemove(adding: &sum)
    }

    private func isFolder(_ end: Endpoint) async throws -> Bool {
        try await end.provider.attributesOfItem(path: end.path).isDirectory
    }

    /// The source's path in the target's provider, if both are the same storage.
    private var pathAtTarget: ItemPath? { source.transferEnd.path(at: target.transferEnd) }

    /// Renames the item within its storage.
    ///
    /// - Returns: `false` if the storage would have to copy it, as between two file systems.
    private func isRenamed(_ path: ItemPath, adding sum: inout MoveReport) async throws -> Bool {
        let present = conflicts.skipExisting || conflicts.update ? try await existing : nil
        guard try await !isSkipped(present) else {
            try report("skipped", isPlanned: options.dryRun)
            sum.countSkipped()
            return true
        }
        guard !options.dryRun else {
            guard try await plan(rename: path) else { return false }
            sum.countRenamed()
            return true
        }
        var renaming = OperationOptions(overwrite: conflicts.overwrite || conflicts.update)
        renaming.renamesOnly = true
        // What is there by then may be newer.
        if conflicts.update, let present, present.isRegularFile { renaming.expecting = present.version }
        if renaming.overwrite { try await refuseWayToTarget(path) }
        do {
            try await target.provider.perform(
                .move(source: path, destination: target.path), in: OperationContext(options: renaming))
        } catch let error where error.isUnsupported || error.isInvalidFileName && options.names == .map {
            return false
        } catch let error where error.isFileExists && !conflicts.overwrite {
            let item = try await target.provider.attributesOfItem(path: path)
            throw try await existing.map { refusal(of: $0, item) } ?? error
        } catch let error where error.isMissingFolder {
            // The error is about the target, unless it is about the source.
            _ = try await target.provider.attributesOfItem(path: path)
            if let parent = target.path.parent, try await target.provider.itemExists(path: parent) {
                throw error
            }
            throw Refusal.missingFolder(of: target.location.description)
        }
        try report("moved")
        sum.countRenamed()
        return true
    }

    /// Throws if the source is a link to the file that it would replace.
    private func refuseWayToTarget(_ path: ItemPath) async throws {
        guard try await target.provider.attributesOfItem(path: path).isSymLink,
            let existing = try await existing, !existing.isSymLink
        else { return }
        try await source.transferEnd.requireNoWay(to: target.transferEnd)
    }

    /// The item at the target, if any.
    private var existing: FileObject? {
        get async throws {
            do { return try await target.provider.attributesOfItem(path: target.path) } catch let error
                where error.isNoSuchFile
            { return nil }
        }
    }

    /// Reports what would be done, or fails as the move would.
    ///
    /// - Returns: `false` if the storage would have to copy it.
    private func plan(rename path: ItemPath) async throws -> Bool {
        let item = try await target.provider.attributesOfItem(path: path)
        if target.path.asItem == path.asItem { throw FileError.sameItem(target.path) }
        if item.isDirectory, target.path.asItem.isInside(path.asItem) { throw FileError.intoItself(target.path) }
        if let existing = try await existing {
            guard conflicts.overwrite || conflicts.update, !existing.isDirectory, !item.isDirectory else {
                throw refusal(of: existing, item)
            }
            try await refuseWayToTarget(path)
        } else {
            do {
                if let parent = target.path.parent { _ = try await target.provider.attributesOfItem(path: parent) }
            } catch let error where error.isMissingFolder {
                throw Refusal.missingFolder(of: target.location.description)
            }
            do {
                try await target.provider.checkName(ofNew: target.path, isDirectory: item.isDirectory)
            } catch let error where error.isInvalidFileName && options.names == .map {
                return false
            }
        }
        if let storage = target.provider as? any RenameForeseeing,
            try await !storage.canRename(path, to: target.path)
        {
            return false
        }
        if options.json {
            try report("moved", isPlanned: true)
        } else {
            try invocation.output.line("would move \(source.location.description) -> \(target.location.description)")
        }
        return true
    }

    /// Returns why an item does not take the place of another: a folder does not, and is not replaced.
    private func refusal(of existing: FileObject, _ item: FileObject) -> Refusal {
        guard existing.isDirectory || item.isDirectory else {
            return Refusal(
                target.location.description, "the item exists already", remedy: "--overwrite replaces it",
                isAboutAccess: false)
        }
        func kind(_ file: FileObject) -> String { file.isDirectory ? "folder" : "file" }
        return Refusal(
            target.location.description, "a \(kind(existing)) is there, which no \(kind(item)) replaces",
            isAboutAccess: false)
    }

    /// - Parameter event: `moved` or `skipped`.
    private func report(_ event: String, isPlanned: Bool = false) throws {
        if options.json {
            var line = JSONLine()
            line.add("event", event)
            if isPlanned { line.add("planned", true) }
            line.add("source", exact: source.location.text)
            line.add("target", exact: target.location.text)
            try invocation.output.write(line.line)
        } else if options.verbose {
            let end = event == "moved" ? " -> \(target.location.description)" : ": skipped (the target stays)"
            invocation.messages.notice(source.location.description + end)
        }
    }

    /// Returns whether an existing target is to stay as it is.
    private func isSkipped(_ present: FileObject?) async throws -> Bool {
        guard let present else { return false }
        guard conflicts.update else { return true }
        let item = try await source.provider.attributesOfItem(path: source.path)
        guard let mine = item.modificationTime, let theirs = present.modificationTime else { return true }
        return mine <= theirs
    }

    /// Returns whether an earlier run of this move, to this target, has not finished, whatever its options were.
    func isInterrupted() async throws -> Bool {
        let journals = TransferJournals(folder: invocation.environment.transfers)
        guard !source.path.isRoot, !journals.isEmpty else { return false }
        do {
            var plan = try await plan()
            // Also for a dry run, which reports what the move would do.
            (plan.options.removesSources, plan.options.dryRun) = (true, false)
            return try journals.isUnfinished(plan)
        } catch is CocoaError where pathAtTarget != nil {
            // Renaming will report the error.
            return false
        }
    }

    private func plan() async throws -> TransferPlan {
        var copying = options.transferOptions(verification: .hash, conflicts, invocation.access.options)
        copying.recursive = true
        copying.flush = true
        copying.removesSources = !options.dryRun
        return try await TransferPlan(from: [source.transferEnd], to: target.transferEnd, options: copying)
    }

    private func copyAndRemove(adding sum: inout MoveReport) async throws {
        let plan = try await plan()
        let leftovers = MoveLeftovers(source: source, target: target)
        let run = TransferRun(invocation, options, sources: CopySources(source), target: target)
        run.onReceipt = { leftovers.note($0) }
        run.lines.isMove = true
        var report: TransferReport
        do { report = try await run.run(plan) } catch {
            sum.add(run.unfinished, isWhole: false)
            throw error
        }
        var refusal: Refusal?
        do {
            defer { sum.add(report, isWhole: true) }
            if !options.dryRun, !report.isCutShort {
                // Trying again would not help with an item that the target cannot hold.
                do { try await remove(leftovers, counting: &report) } catch let error as Refusal { refusal = error }
                if report.isComplete { try await Transfer.discard(plan, in: invocation.transferEnvironment) }
            }
        }
        if options.dryRun { do { try leftovers.confirmNothingStays() } catch let error as Refusal { refusal = error } }
        if let refusal { throw refusal }
    }

    /// Removes what is left at the source once its copy is certain.
    private func remove(_ leftovers: MoveLeftovers, counting report: inout TransferReport) async throws {
        let lines = TransferLines(sources: CopySources(source), target: target, isMove: true)
        try await leftovers.remove { receipt in
            if receipt.outcome == .copied {
                report.unchanged -= 1
                report.copied += 1
            } else {
                report.failures.append(receipt)
                if let error = lines.error(of: receipt) { invocation.failed(error, at: lines.place(of: receipt)) }
            }
            if options.json { try invocation.output.write(lines.json(receipt)) }
        }
    }
}
