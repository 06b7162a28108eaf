import FileProviding

/// Carries out a mirror's plan: moves first, since a moved file needs no copy; removals last, when everything has been
/// copied.
struct Mirroring: Sendable {
    let plan: MirrorPlan
    let job: TransferPlan.Job
    let tools: TransferTools

    init(plan: MirrorPlan, job: TransferPlan.Job, tools: TransferTools) {
        (self.plan, self.tools) = (plan, tools)
        var job = job
        if let root = plan.root { job.target.path = root }
        self.job = job
    }

    /// Moves the files that were only moved; returns those that have to be copied after all.
    func move() async throws -> [FileJob] { try await reporting { try await moveWhatMoved() } ?? [] }

    /// Removes the items that the source does not have, or moves them to the backup.
    func remove() async throws { try await reporting { try await removeExtra() } }

    /// Runs work, and reports a failure to examine the mirror as an item's error, like any other.
    @discardableResult
    private func reporting<Result>(_ work: () async throws -> Result) async throws -> Result? {
        do { return try await work() } catch  where !error.endsTransfer {
            try await tools.failed(job.source, job.target, error)
            return nil
        }
    }

    private func moveWhatMoved() async throws -> [FileJob] {
        let sameness = Sameness(
            destination: try await job.target.provider.characteristics(path: job.target.path),
            source: try await job.source.provider.characteristics(path: job.source.path))
        var rest: [FileJob] = []
        let pairs = plan.moves { item, present in
            // Size and time alone are not enough for a file at another place, and one that is merely not newer may be
            // any other.
            sameness.reason(item, present, isCertain: true) != nil
        }
        for (file, from) in pairs {
            guard let from else {
                rest.append(file)
                continue
            }
            do {
                guard try await isProven(file, from) else {
                    plan.note(extra: from, twin: plan.twin(of: from.path))
                    rest.append(file)
                    continue
                }
                if !tools.options.dryRun {
                    try await file.target.provider.step(.move(source: from.path, destination: file.target.path))
                }
                plan.note(gone: from.path)
                await tools.ledger.ended(from.path, file.target.path, .moved)
            } catch {
                if case .ends(let end) = await tools.outage(behind: error, job.source, file.target) { throw end }
                plan.note(extra: from, twin: plan.twin(of: from.path))
                rest.append(file)
            }
        }
        return rest
    }

    /// Returns whether a file that seems to have moved has the same contents, as far as the verification option
    /// requires: by a hash that the destination knows, otherwise by reading both files. A wrong match would never be
    /// noticed later.
    private func isProven(_ file: FileJob, _ from: FileObject) async throws -> Bool {
        if [.none, .size].contains(tools.options.verification) { return true }
        if !Set(file.item.checksums).isDisjoint(with: from.checksums) { return true }
        if tools.options.verification == .automatic,
            let known = from.checksums.first(where: { $0.algorithm != .adler32 })
        {
            let source = try await file.source.provider.read(path: file.source.path)
            return try await Checksum.of(source.bytes, known.algorithm) == known
        }
        return try await Verifier(job: file, path: from.path, options: tools.options).isSame()
    }

    private func removeExtra() async throws {
        let extra = plan.extra
        guard !extra.isEmpty else { return }
        for file in plan.obstructed { try await confirmReadable(file) }
        guard tools.ledger.report.isComplete else {
            let (all, others) = try await shares(of: extra)
            if !all.isAllowed || !others.isAllowed { tools.journal.retain() }
            return await refuse("something failed, so nothing was removed")
        }
        guard try await hasEntries(job.source), tools.ledger.hasFound || !plan.obstructed.isEmpty else {
            let nothing =
                tools.options.filter.rules.isEmpty || tools.ledger.hasFound
                ? "the source has nothing but empty folders" : "the filters leave nothing of the source"
            return await refuse("\(nothing), so nothing was removed")
        }
        let victims = try await victims(among: extra)
        let (all, others) = try await shares(of: victims)
        guard all.isAllowed, others.isAllowed else {
            // The new items that this run has put there must not count in the next one.
            tools.journal.retain()
            let share = others.isAllowed ? all : others
            let isPart = !others.isAllowed && tools.journal.hasMadeAny
            let exception = isPart ? ", not counting what this mirror has put there," : ""
            return await refuse(
                "\(share.count) of \(share.total) items\(exception) would be removed", TransferRefusal.deletions)
        }
        for item in victims {
            try Task.checkCancellation()
            do {
                if !tools.options.dryRun { try await remove(item) }
                await ended(item, .deleted)
                plan.note(gone: item.path)
            } catch  where error.isNoSuchFile {
                // It was moved, although no reply came.
                plan.note(gone: item.path)
            } catch  where !error.endsTransfer {
                let place = job.target.at(item.path)
                _ = try await tools.isOutageOver(behind: error, place, place)
                await ended(item, .failed, error)
            }
        }
    }

    private func ended(
        _ item: FileObject, _ outcome: TransferReceipt.Outcome, _ error: (any Error)? = nil
    ) async {
        await tools.ledger.ended(
            TransferReceipt(source: item.path, target: item.path, outcome: outcome, isRemoval: true, error: error))
    }

    /// Makes sure of what is to be copied once the item in its way is gone: nothing is removed for what cannot be read.
    private func confirmReadable(_ file: FileJob) async throws {
        let (provider, path) = (file.source.provider, file.source.path)
        do {
            if file.item.isDirectory {
                _ = try await provider.listing(path: path.asDirectory).entries.first { _ in true }
            } else if file.item.isRegularFile {
                _ = try await provider.read(path: path, range: .range(0..<1)).bytes.collect()
            }
        } catch  where !error.endsTransfer {
            try await tools.failed(file.source, file.target, error)
        }
    }

    /// Returns the extra items to remove. An item that the storage treats as the same as one that is to stay is an
    /// error.
    private func victims(among extra: [FileObject]) async throws -> [FileObject] {
        var victims: [FileObject] = []
        var names: [ItemPath: Set<ItemName>] = [:]
        for item in extra {
            if let name = plan.twin(of: item.path), try await isOne(item, name, &names) {
                let error = cocoaError(
                    item.path, code: .fileWriteFileExists,
                    reason: "the storage takes it for “\(name)”, which is to stay")
                await ended(item, .failed, error)
            } else {
                victims += try await sparing(item)
            }
        }
        return victims
    }

    /// Returns whether the storage treats an item of the target and the similar name that the source has as the same:
    /// it then lists only one of them.
    ///
    /// - Parameter names: the contents of the folders that were listed for this.
    private func isOne(_ item: FileObject, _ name: ItemName, _ names: inout [ItemPath: Set<ItemName>]) async throws
        -> Bool
    {
        guard let parent = item.path.parent else { return false }
        let provider = job.target.provider
        if names[parent] == nil {
            names[parent] = Set(try await provider.contentsOfDirectory(path: parent.asDirectory).map(\.itemName))
        }
        guard names[parent]?.contains(name) == false else { return false }
        do {
            _ = try await provider.attributesOfItem(path: parent.appending(name))
            return true
        } catch  where error.isNoSuchFile {
            return false
        }
    }

    /// Returns what to remove of an extra item: all of it or, if the filter excludes something below it, only the rest.
    private func sparing(_ item: FileObject) async throws -> [FileObject] {
        guard item.isDirectory, !tools.options.filter.rules.isEmpty else { return [item] }
        var below: [FileObject] = []
        for try await page in job.target.provider.recursiveListing(path: item.path.asDirectory) { below += page }
        // Each directory in which something stays.
        var needed: Set<ItemPath> = []
        for entry in below {
            guard let relative = entry.path.relative(to: job.target.path),
                !tools.options.filter.reaches(tools.options.original(relative), isDirectory: entry.isDirectory)
            else { continue }
            var path: ItemPath? = entry.path
            while let each = path, each.isInside(item.path), needed.insert(each).inserted { path = each.parent }
        }
        guard !needed.isEmpty else { return [item] }
        return below.filter { entry in !needed.contains(entry.path) && entry.path.parent.map(needed.contains) ?? false }
    }

    private func remove(_ item: FileObject) async throws {
        if let backup = tools.backup { return try await backup.keep(item, copying: false) }
        // What somebody has edited since it was listed is not what was judged.
        let version = item.isRegularFile ? item.version : nil
        try await job.target.provider.step(.remove(item.path), OperationOptions(expecting: version))
    }

    private func hasEntries(_ endpoint: TransferEndpoint) async throws -> Bool {
        try await endpoint.provider.listing(path: endpoint.path.asDirectory).entries.first { _ in true } != nil
    }

    private func refuse(_ reason: String, _ refusal: TransferRefusal? = nil) async {
        await tools.ledger.failed(
            job.source.path, job.target.path,
            cocoaError(job.target.path, code: .fileWriteUnknown, reason: reason, underlying: refusal))
    }
}
