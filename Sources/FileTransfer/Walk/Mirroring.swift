import FileProviding

/// Carries a mirror's plan out: moves first, since a moved file needs no copy; removals last, when everything is there.
struct Mirroring: Sendable {
    let plan: MirrorPlan
    let job: TransferPlan.Job
    let tools: TransferTools

    /// Moves what only moved; returns the files that have to be copied after all.
    func move() async throws -> [FileJob] { try await reporting { try await moveWhatMoved() } ?? [] }

    /// Removes what the source does not have, or moves it to the backup.
    ///
    /// - Returns: what has gone, or would.
    func remove() async throws -> Set<ItemPath> { try await reporting { try await removeExtra() } ?? [] }

    /// What keeps the mirror from being looked through is an item's error, like any other.
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
            // Without a hash the name has to agree: size and time alone are too little for another place. One that is only not
            // newer may be any other.
            sameness.reason(item, present, isCertain: true) != nil
                && (item.itemName == present.itemName || !Set(item.checksums).isDisjoint(with: present.checksums))
        }
        for (file, from) in pairs {
            guard let from else {
                rest.append(file)
                continue
            }
            do {
                if !tools.options.dryRun {
                    try await file.target.provider.moveItem(path: from.path, to: file.target.path)
                }
                await tools.ledger.ended(from.path, file.target.path, .moved)
            } catch {
                if case .ends(let end) = await tools.outage(behind: error, job.source, file.target) { throw end }
                rest.append(file)
            }
        }
        return rest
    }

    private func removeExtra() async throws -> Set<ItemPath> {
        let extra = plan.extra
        guard !extra.isEmpty else { return [] }
        guard tools.ledger.report.isComplete else {
            return await refuse("something failed, so nothing was removed")
        }
        guard try await hasEntries(job.source), tools.ledger.hasFound || !plan.obstructed.isEmpty else {
            return await refuse("the source has nothing but empty folders, so nothing was removed")
        }
        let provider = job.target.provider
        var victims: [FileObject] = []
        for item in extra { victims += try await sparing(item) }
        let count = try await victims.count + itemCount(below: victims)
        // Not what was copied in this run.
        let total = try await plan.present + itemCount(below: extra)
        guard plan.rule.maximumDeletions.allows(count, of: total) else {
            return await refuse("\(count) of \(total) items would be removed; see --max-delete")
        }
        var gone: Set<ItemPath> = []
        for item in victims {
            try Task.checkCancellation()
            do {
                if !tools.options.dryRun { try await remove(item, provider) }
                await tools.ledger.ended(item.path, item.path, .deleted)
                gone.insert(item.path.asItem)
            } catch  where !error.endsTransfer {
                let place = TransferEndpoint(provider, item.path)
                try await tools.failed(place, place, error)
            }
        }
        return gone
    }

    private func itemCount(below items: [FileObject]) async throws -> Int {
        var count = 0
        for directory in items where directory.isDirectory {
            let listing = job.target.provider.recursiveListing(path: directory.path.asDirectory)
            for try await page in listing { count += page.count }
        }
        return count
    }

    /// What of an extra item goes: all of it, or, where the filter leaves out something below it, only the rest.
    private func sparing(_ item: FileObject) async throws -> [FileObject] {
        guard item.isDirectory, !tools.options.filter.rules.isEmpty else { return [item] }
        var below: [FileObject] = []
        for try await page in job.target.provider.recursiveListing(path: item.path.asDirectory) { below += page }
        // Each directory that something stays in.
        var needed: Set<ItemPath> = []
        for entry in below {
            guard let relative = entry.path.relative(to: job.target.path),
                !tools.options.filter.reaches(relative, isDirectory: entry.isDirectory)
            else { continue }
            var path: ItemPath? = entry.path
            while let each = path, each.isInside(item.path), needed.insert(each).inserted { path = each.parent }
        }
        guard !needed.isEmpty else { return [item] }
        return below.filter { entry in !needed.contains(entry.path) && entry.path.parent.map(needed.contains) ?? false }
    }

    private func remove(_ item: FileObject, _ provider: any FileProvider) async throws {
        if let backup = tools.backup {
            return try await backup.keep(TransferEndpoint(provider, item.path), copying: false)
        }
        try await provider.removeItem(path: item.path)
    }

    private func hasEntries(_ endpoint: TransferEndpoint) async throws -> Bool {
        try await endpoint.provider.listing(path: endpoint.path.asDirectory).entries.first { _ in true } != nil
    }

    private func refuse(_ reason: String) async -> Set<ItemPath> {
        await tools.ledger.failed(
            job.source.path, job.target.path,
            cocoaError(job.target.path, code: .fileWriteUnknown, reason: reason))
        return []
    }
}

/// Takes what a mirror replaces or removes, under the path that it had.
struct Backup: Sendable {
    let folder: TransferEndpoint
    let root: ItemPath

    /// - Throws: when the folder is on another storage than the destination, or within it.
    init?(_ plan: TransferPlan) async throws {
        guard let folder = plan.options.mirror?.backup, let target = plan.jobs.first?.target else { return nil }
        let (real, goal) = (
            try await LinkResolution.realEndpoint(folder), try await LinkResolution.realEndpoint(target)
        )
        guard let path = folder.path(at: target.provider),
            real.path(at: target.provider).map({ !$0.isInside(goal.path) }) ?? true
        else {
            throw cocoaError(
                folder.path, code: .fileWriteUnknown,
                reason: "a backup folder has to be on the destination's storage, and outside the destination")
        }
        self.folder = TransferEndpoint(target.provider, path)
        root = target.path
    }

    /// - Parameter copying: whether the item stays too, because it is about to be replaced in one step.
    func keep(_ item: TransferEndpoint, copying: Bool) async throws {
        guard let relative = item.path.relative(to: root) else { return }
        let goal = folder.path.appending(relative)
        if let parent = goal.parent, !parent.isRoot {
            try await item.provider.createDirectory(path: parent, createsParents: true)
        }
        if copying {
            try await item.provider.copyItem(path: item.path, to: goal, overwrite: true)
        } else {
            try await item.provider.moveItem(path: item.path, to: goal, overwrite: !item.path.namesDirectory)
        }
    }
}
