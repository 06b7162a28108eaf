import FileProviding

/// Walks a source and its target in lockstep and queues what differs.
struct TreeWalk: Sendable {
    let job: TransferPlan.Job
    let options: TransferOptions
    let queue: BoundedQueue<FileJob>
    let ledger: TransferLedger
    let directories: DirectoryCache

    func run() async throws {
        do {
            let existing = try await targetItem()
            ledger.found([job.item])
            if job.item.isDirectory {
                try await walkTree(existing: existing)
            } else {
                try await offer(FileJob(source: job.source, target: job.target, item: job.item, existing: existing))
            }
        } catch  where !(error is CancellationError) {
            ledger.failed(job.source.path, job.target.path, error)
        }
    }

    private func targetItem() async throws -> FileObject? {
        do {
            let plain = ItemPath(unchecked: job.target.path.bytes, isIdentifier: job.target.path.isIdentifier)
            return try await job.target.provider.attributesOfItem(path: job.target.path.isRoot ? .root : plain)
        } catch  where error.isNoSuchFile {
            return nil
        }
    }

    /// A directory that the storage can copy itself, in one operation.
    private func isOneOperation(existing: FileObject?) -> Bool {
        existing == nil && options.filter.rules.isEmpty && options.symlinks == .copy && !options.dryRun
            && options.verification != .readback && job.source.path(at: job.target.provider) != nil
    }

    private func walkTree(existing: FileObject?) async throws {
        if isOneOperation(existing: existing) {
            await queue.send(FileJob(source: job.source, target: job.target, item: job.item, existing: nil))
            return
        }
        // Depth first: the list of directories still to walk stays as short as the tree is deep and wide.
        var pending = [
            Pair(source: job.source.path.asDirectory, target: job.target.path.asDirectory, existing: existing)
        ]
        while let pair = pending.popLast() {
            try Task.checkCancellation()
            do {
                pending.append(contentsOf: try await walkDirectory(pair))
            } catch  where !(error is CancellationError) {
                ledger.failed(pair.source, pair.target, error)
            }
        }
    }

    private struct Pair {
        var source: ItemPath
        var target: ItemPath
        var existing: FileObject?
    }

    /// Queues a directory's files; returns its subdirectories.
    private func walkDirectory(_ pair: Pair) async throws -> [Pair] {
        if let existing = pair.existing, !existing.isDirectory, !existing.isSymLink {
            throw cocoaError(
                pair.target, code: .fileWriteFileExists, reason: "a file stands where a directory is to go")
        }
        let target = TransferEndpoint(job.target.provider, pair.target)
        let isNew = try await directories.ensure(target, isThere: pair.existing != nil, dryRun: options.dryRun)
        if isNew { ledger.ended(pair.source, pair.target, .created) }
        let present = isNew ? [:] : try await presentItems(in: target)
        var below: [Pair] = []
        for try await page in job.source.provider.listing(path: pair.source) {
            let taking = page.filter { takesPart($0) }
            ledger.found(taking)
            for item in taking {
                let child = TransferEndpoint(job.source.provider, item.path)
                let goal = TransferEndpoint(job.target.provider, pair.target.appending(item.itemName))
                let existing = present[item.itemName]
                if item.isDirectory {
                    below.append(Pair(source: item.path.asDirectory, target: goal.path.asDirectory, existing: existing))
                } else {
                    try await offer(FileJob(source: child, target: goal, item: item, existing: existing))
                }
            }
        }
        return below.reversed()
    }

    private func takesPart(_ item: FileObject) -> Bool {
        guard !TemporaryName.isOurs(item.itemName), !options.filter.rules.isEmpty else {
            return !TemporaryName.isOurs(item.itemName)
        }
        guard let relative = item.path.relative(to: job.source.path) else { return true }
        return options.filter.includes(relative, isDirectory: item.isDirectory)
    }

    private func presentItems(in directory: TransferEndpoint) async throws -> [ItemName: FileObject] {
        var items: [ItemName: FileObject] = [:]
        do {
            for try await page in directory.provider.listing(path: directory.path) {
                for item in page { items[item.itemName] = item }
            }
        } catch  where error.isNoSuchFile && options.dryRun {
            return [:]
        }
        return items
    }

    /// Settles what needs no worker, and queues the rest.
    private func offer(_ file: FileJob) async throws {
        switch try await decide(file) {
        case .leave(let outcome, let note):
            ledger.ended(file.source.path, file.target.path, outcome, note: note)
        case .fail(let error):
            ledger.failed(file.source.path, file.target.path, error)
        case .copy:
            await queue.send(file)
        }
    }

    private enum Decision {
        case copy
        case leave(TransferReceipt.Outcome, String)
        case fail(any Error)
    }

    private func decide(_ file: FileJob) async throws -> Decision {
        if file.item.isSymLink, options.symlinks == .skip { return .leave(.skipped, "symbolic link") }
        if file.item.type == .unknown { return .leave(.skipped, "neither file, directory nor link") }
        guard let existing = file.existing else { return .copy }
        if existing.isDirectory {
            return .fail(FileError.isADirectory(file.target.path, writing: true))
        }
        let sameness = Sameness(
            destination: try await file.target.provider.characteristics(path: file.target.path),
            source: try await file.source.provider.characteristics(path: file.source.path))
        if let reason = sameness.reason(file.item, existing) { return .leave(.unchanged, reason) }
        if file.item.isSymLink, existing.isSymLink, file.item.linkTarget == existing.linkTarget,
            file.item.linkTarget != nil
        {
            return .leave(.unchanged, "same link")
        }
        switch options.conflict {
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
}
