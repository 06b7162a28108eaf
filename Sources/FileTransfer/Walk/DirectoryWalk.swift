import FileProviding
import Foundation

/// One directory of a walk: its target is looked up or created, then both listings are compared.
struct DirectoryWalk: Sendable {
    let tree: TreeWalk
    var pair: DirectoryPair
    let judge: Judge
    /// Whether the target was created; `nil` while that is not known.
    var isNew: Bool?
    /// Whether items may have been queued.
    private(set) var hasBegun = false
    /// If names are mapped: the names at the target that entries have been given.
    private var goals: Set<ItemName> = []
    /// The names of directories that the storage copied whole, by the form that a storage may treat as the same.
    private var copiedWhole: Set<String> = []
    /// If items are removed: the source's names, by the form that a storage may treat as the same.
    private var folded: [String: ItemName] = [:]
    /// The names that entries get at the target.
    private var given = GivenNames()
    /// The target's path without links, once a followed link has led to a directory.
    private var realTarget: TransferEndpoint?

    var tools: TransferTools { tree.tools }

    init(tree: TreeWalk, pair: DirectoryPair, judge: Judge) {
        self.tree = tree
        self.pair = pair
        self.judge = judge
    }

    /// Queues the files; returns the subdirectories.
    mutating func run() async throws -> [DirectoryPair] {
        if let existing = pair.existing, !existing.isDirectory, !(existing.isSymLink && isTop && !tree.job.isInside) {
            throw cocoaError(
                pair.target, code: .fileWriteFileExists,
                reason: "a \(existing.isSymLink ? "link" : "file") stands where a directory is to go")
        }
        let isNew = try await isTargetNew()
        let target = tree.job.target.at(pair.target)
        let source = tree.job.source.provider.listing(path: pair.source)
        // List both ends at the same time.
        async let listed = isNew ? PresentItems() : presentItems(in: target)
        var pages = source.makeAsyncIterator()
        var page = try await pages.next()
        var present = try await listed
        hasBegun = true
        tree.mirror?.note(present: present.count)
        var below: [DirectoryPair] = []
        while let items = page {
            let taking = items.filter { takesPart($0) }
            // What links lead to is counted when that is known.
            await tools.ledger.found(isFollowing ? taking.filter { !$0.isSymLink } : taking)
            for item in taking { try await take(item, &present, &below) }
            page = try await pages.next()
        }
        if let mirror = tree.mirror { note(present, in: mirror) }
        return try await separated(below).reversed()
    }

    /// Creates the targets of directories whose names differ only in case, one after another: a storage that does not
    /// distinguish them would otherwise merge them unnoticed, and files of one could replace those of the other.
    ///
    /// - Returns: the directories without those for which there is no room.
    private func separated(_ below: [DirectoryPair]) async throws -> [DirectoryPair] {
        let folded = below.map { $0.target.lastComponent?.folded ?? "" }
        let counts = Dictionary(folded.map { ($0, 1) }, uniquingKeysWith: +)
        var separated: [DirectoryPair] = []
        for (pair, name) in zip(below, folded) {
            guard counts[name] != 1 || copiedWhole.contains(name), pair.existing == nil, !tree.options.dryRun else {
                separated.append(pair)
                continue
            }
            do {
                var walk = DirectoryWalk(tree: tree, pair: pair, judge: judge)
                separated.append(try await walk.madeAlone())
            } catch  where !error.endsTransfer {
                try await tools.failed(tree.job.source.at(pair.source), tree.job.target.at(pair.target), error)
            }
        }
        return separated
    }

    /// Creates the target, and returns the pair with it.
    ///
    /// - Throws: when there is something already.
    private mutating func madeAlone() async throws -> DirectoryPair {
        let provider = tree.job.target.provider
        do {
            _ = try await provider.attributesOfItem(path: pair.target.asItem)
            throw tree.job.target.at(pair.target).twinError
        } catch  where error.isNoSuchFile {}
        _ = try await isTargetNew()
        pair.existing = try await provider.attributesOfItem(path: pair.target)
        return pair
    }

    private mutating func take(
        _ entry: FileObject, _ present: inout PresentItems, _ below: inout [DirectoryPair]
    ) async throws {
        var (name, existing) =
            tree.options.names == .map
            ? present.take(mapping: entry.itemName) : (entry.itemName, present.take(entry.itemName))
        if tree.mirror?.rule.deletes ?? false { folded[name.folded] = name }
        let path = pair.target.appending(name)
        let job = tree.job
        if existing == nil {
            do { existing = try await takeComposed(name, &present) } catch  where !error.endsTransfer {
                return try await tools.failed(job.source.at(entry.path), job.target.at(path), error)
            }
        }
        guard isAlone(entry.itemName) else {
            return try await tools.failed(
                job.source.at(entry.path), job.target.at(path),
                cocoaError(entry.path, code: .fileWriteFileExists, reason: "another item would get the same name"))
        }
        let item: FileObject
        do { item = try await followed(entry) } catch {
            return try await tools.failed(
                job.source.at(entry.path), job.target.at(path), error)
        }
        guard isIncluded(entry, isDirectory: item.isDirectory) else { return }
        if isFollowing, entry.isSymLink { await tools.ledger.found([item]) }
        if existing != nil, let mirror = tree.mirror, tools.journal.hasMade(path) {
            mirror.noteOurs()
        }
        let file = FileJob(
            source: job.source.at(item.path), target: job.target.at(path), item: item, existing: existing)
        if let mirror = tree.mirror, judge.takes(file), existing.map(isMirrored) ?? true, mirror.waitsForRoom(file) {
            return
        }
        let mayHaveTwin = job.target.mayMergeNames && given.give(name)
        guard item.isDirectory else {
            guard mayHaveTwin, existing == nil else { return await tree.offer(file, judge) }
            let twin = TransferPlan.Job(source: file.source, target: file.target, item: item)
            return tools.twins.add(twin, isUnlisted: true)
        }
        if let id = item.fileID, pair.targets.contains(id) {
            return try await tools.failed(file.source, file.target, FileError.intoItself(path))
        }
        var inner = DirectoryPair(
            source: item.path.asDirectory, target: path.asDirectory, existing: existing,
            permissions: item.permissions, modificationTime: item.modificationTime,
            real: entry.isSymLink ? item.path : pair.real?.appending(entry.itemName),
            above: pair.real.map { pair.above + [$0] } ?? [],
            isInPieces: pair.isInPieces, targets: pair.targets)
        // A mirror that removes items handles new files one by one, since they may have moved.
        if tree.mirror?.rule.deletes != true, try await tree.isCopiedWhole(&inner, item) {
            copiedWhole.insert(name.folded)
            return
        }
        below.append(inner)
    }

    /// Whether this is the top of the tree, whose target the user may have named by a link.
    var isTop: Bool { pair.target.bytes == tree.job.target.path.bytes }

    /// Returns whether no previous entry has this one's name at the target: a mapped name and its original are the same
    /// there.
    private mutating func isAlone(_ name: ItemName) -> Bool {
        tree.options.names != .map || goals.insert(NameMapping.original(name) ?? name).inserted
    }

    private var isFollowing: Bool { tree.options.symlinks == .follow }

    /// Returns an entry, or its target if links are followed.
    ///
    /// - Throws: also why a server does not say what an entry is.
    private mutating func followed(_ entry: FileObject) async throws -> FileObject {
        if entry.type == .unknown, !(tree.job.source.provider is any FileProviderLocalAccess) {
            return try await tree.job.source.provider.attributesOfItem(path: entry.path)
        }
        guard isFollowing, entry.isSymLink else { return entry }
        let (source, target) = (tree.job.source.provider, tree.job.target.at(pair.target))
        let item = try await LinkResolution.resolve(entry, at: source, in: pair.real)
        guard item.isDirectory else { return item }
        if (pair.above + [pair.real ?? pair.source]).contains(where: { $0.bytes == item.path.bytes }) {
            throw cocoaError(entry.path, code: .fileReadUnknown, reason: "a link to a folder that it is in")
        }
        if realTarget == nil { realTarget = try await LinkResolution.realEndpoint(target) }
        if let path = tree.job.source.at(item.path).path(at: target), let realTarget,
            realTarget.path.isInside(path)
        {
            let reason = "a link to a folder that the destination is in"
            throw cocoaError(entry.path, code: .fileReadUnknown, reason: reason)
        }
        return item
    }

    /// Takes out the item that the storage lists under another normalization of a name, if it finds the first such item
    /// by both: then both are one. Not when moving, since the source may have both.
    private func takeComposed(_ name: ItemName, _ present: inout PresentItems) async throws -> FileObject? {
        guard !tree.options.removesSources, tree.job.target.mayMergeNames,
            let listed = present.nameComposedOtherwise(than: name)
        else { return nil }
        if !tools.normalizesNames.withLock({ $0 }) {
            let path = pair.target.appending(name).asItem
            do { _ = try await tree.job.target.provider.attributesOfItem(path: path) } catch
                where error.isNoSuchFile || error.isInvalidFileName
            { return nil }
            tools.normalizesNames.withLock { $0 = true }
        }
        return present.take(listed)
    }

    /// Returns whether an entry takes part; a link that is followed, whether it may, as a file or as a directory.
    private func takesPart(_ entry: FileObject) -> Bool {
        guard !TemporaryName.isOurs(entry.itemName) else { return false }
        return isIncluded(entry, isDirectory: entry.isDirectory)
            || isFollowing && entry.isSymLink && isIncluded(entry, isDirectory: true)
    }

    private func isIncluded(_ entry: FileObject, isDirectory: Bool) -> Bool {
        guard !tree.options.filter.rules.isEmpty else { return true }
        let inSource = entry.path.relative(to: tree.job.source.path)
        // What was reached through a link has a path of its own; the target's path tells where it is in the tree.
        let inTarget = pair.target.appending(entry.itemName).relative(to: tree.job.target.path)
            .map(tree.options.original)
        guard let relative = isFollowing ? inTarget ?? inSource : inSource ?? inTarget else { return true }
        return tree.options.filter.includes(relative, isDirectory: isDirectory)
    }

    /// Returns whether an item at the target is not left out by the filter.
    private func isMirrored(_ present: FileObject) -> Bool {
        guard let relative = present.path.relative(to: tree.job.target.path) else { return false }
        return tree.options.filter.includes(tree.options.original(relative), isDirectory: present.isDirectory)
    }

    private func presentItems(in directory: TransferEndpoint) async throws -> PresentItems {
        do { return try await PresentItems(in: directory) } catch  where error.isNoSuchFile && tree.options.dryRun {
            return PresentItems()
        }
    }

    /// Records what is left at the target without a counterpart at the source.
    private func note(_ present: PresentItems, in mirror: MirrorPlan) {
        for item in present.rest where isMirrored(item) {
            mirror.note(extra: item, twin: folded[item.itemName.folded])
        }
    }
}
