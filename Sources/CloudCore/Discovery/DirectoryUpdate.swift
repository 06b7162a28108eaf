import FileProviding

/// One listing of a directory, merged page by page as it is parsed.
///
/// Entries that have not changed are recognized without the writer, so an unchanged directory writes no row.
struct DirectoryUpdate {
    let database: Database
    let connection: any Connection
    let traits: ConnectionTraits
    let directory: LocalID

    /// What was known before the listing began.
    private struct Known: Sendable {
        /// The path on the server.
        var path: ItemPath
        /// The directory's identifier, if it has one.
        var fileID: String?
        /// The known entries, by their names on the server.
        var children: [ItemName: Item]
        var anchor: SyncAnchor
        /// The number of requests for the listing.
        var requests: Int64?
        /// Whether another directory may be at the path by now.
        var isDisplaced: Bool
    }

    /// The result of a page.
    private enum Progress: Sendable {
        case goesOn(MergeOutcome)
        case ends(Outcome)
    }

    /// What a listing found out besides the existing entries.
    enum Outcome: Sendable {
        /// Every known entry exists.
        case complete
        /// Known entries are missing, or older than they were.
        case hasLosses
        /// The directory itself no longer exists, as far as is known.
        case isGone
        /// The directory has moved in the meantime: it has to be listed again at its new place.
        case hasMoved
        /// The server was not asked, because another directory may be at the path.
        case isDisplaced
    }

    /// Lists the directory.
    ///
    /// The job is done unless the listing has been requested again in the meantime. A directory that is gone from the
    /// server is left to its parent's listing, for which a job is added; a displaced one is left to the next scan.
    func run() async throws -> Outcome { try await database.whileListing { try await list() } }

    private func list() async throws -> Outcome {
        guard let known = try await known() else { return .complete }
        guard !known.isDisplaced else {
            try await database.write { [directory] in try $0.leaveToNextScan(directory, requests: known.requests) }
            return .isDisplaced
        }
        var unseen = known.children
        var outcome = MergeOutcome.complete
        do {
            if try await isAnother(at: known) { return try await leaveToParent(known) }
            for try await page in connection.listing(of: known.path) {
                let news = page.filter { file in
                    guard let item = unseen[file.itemName] else { return true }
                    let place = Place(file.itemName, in: directory)
                    if item.isElsewhere(than: place), !item.isSameItem(as: ServerVersion(file)) { return true }
                    unseen[file.itemName] = nil
                    return item.needsMerge(with: file)
                }
                if news.isEmpty { continue }
                switch try await merge(news, of: known) {
                case .goesOn(let told): outcome = max(outcome, told)
                case .ends(let outcome): return outcome
                }
            }
        } catch  where error.isNoSuchFile || error.isNotADirectory {
            let outcome = try await leaveToParent(known)
            if directory == .root { throw error }
            return outcome
        }
        let gone = unseen.filter { $0.value.cloudStatus != .localOnly && !$0.value.isRemoved }
        return try await finish(known, gone: gone, outcome)
    }

    /// Returns whether another directory has the path, which its parent's listing would show. Where tags propagate, the
    /// parent is listed first.
    private func isAnother(at known: Known) async throws -> Bool {
        guard !traits.propagatesDirectoryETags, directory != .root, let fileID = known.fileID else { return false }
        let present = try await connection.attributes(of: known.path).fileID
        return present != nil && present != fileID
    }

    private func known() async throws -> Known? {
        let directory = directory
        let (known, requests): (Known?, Int64?) = try await database.read { reader in
            let requests = try reader.requests(ofJob: directory)
            // What the server does not have yet cannot be listed.
            guard let item = try reader.item(directory), !item.isRemoved, item.isDirectory,
                item.cloudStatus != .localOnly
            else { return (nil, requests) }
            let isDisplaced = try reader.isDisplaced(directory)
            let known = Known(
                path: try reader.serverPath(ofDirectory: directory), fileID: item.fileID,
                children: isDisplaced ? [:] : try reader.serverEntries(of: directory),
                anchor: try reader.anchor(), requests: requests, isDisplaced: isDisplaced)
            return (known, requests)
        }
        if known == nil { try await database.write { try $0.finishJob(directory, requests: requests) } }
        return known
    }

    private func merge(_ files: [FileObject], of known: Known) async throws -> Progress {
        let (directory, propagates) = (directory, traits.propagatesDirectoryETags)
        return try await database.write { writer in
            if let outcome = try end(known, writer) { return .ends(outcome) }
            let uncertain = try writer.reader.uncertainPlaces()
            var outcome = MergeOutcome.complete
            for file in files {
                outcome = max(
                    outcome,
                    try writer.merge(
                        file, in: directory, propagatesETags: propagates, uncertain: uncertain, since: known.anchor))
            }
            return .goesOn(outcome)
        }
    }

    private func finish(_ known: Known, gone: [ItemName: Item], _ outcome: MergeOutcome) async throws -> Outcome {
        let directory = directory
        return try await database.write { writer in
            if let outcome = try end(known, writer) { return outcome }
            try writer.clearMissing(in: directory)
            let outcome = max(outcome, try writer.mergeAbsence(of: gone, from: directory, since: known.anchor))
            try writer.setListed(directory)
            try writer.finishJob(directory, requests: known.requests)
            switch outcome {
            case .complete: break
            case .needsRescan: try writer.addJob(directory, .nextScan)
            case .stale: try writer.addJob(directory, .scan)
            }
            return try gone.isEmpty && !writer.reader.hasKeptBack(in: directory) ? .complete : .hasLosses
        }
    }

    /// Ends a listing whose path is no longer the directory's, or may not have been, so that it may be about another
    /// directory. Returns `nil` while the path is right.
    private func end(_ known: Known, _ writer: ItemWriter) throws -> Outcome? {
        guard let item = try writer.reader.item(directory), !item.isRemoved else { return .complete }
        if try writer.reader.isDisplaced(directory) {
            try writer.leaveToNextScan(directory, requests: known.requests)
            return .isGone
        }
        if try writer.reader.serverPath(ofDirectory: directory) != known.path {
            try writer.addJob(directory, .scan)
            return .hasMoved
        }
        return nil
    }

    private func leaveToParent(_ known: Known) async throws -> Outcome {
        let directory = directory
        return try await database.write { writer in
            if let outcome = try end(known, writer) { return outcome }
            try writer.finishJob(directory, requests: known.requests)
            // Wherever it is found, it has not been listed: any tag counts as new.
            try writer.forgetTag(of: directory)
            if let place = try writer.reader.serverPlace(of: directory) { try writer.addJob(place.parentID, .scan) }
            return .isGone
        }
    }
}

extension Item {
    /// Returns whether a command has moved or removed the item locally.
    fileprivate func isElsewhere(than place: Place) -> Bool { isRemoved || self.place != place }

    /// Returns whether the server's entry contains something new.
    fileprivate func needsMerge(with file: FileObject) -> Bool {
        var version = ServerVersion(file)
        if file.linkCount ?? 1 > 1, !file.isDirectory { version.fileID = nil }
        return differs(from: version) || cloudStatus == .localOnly || newerVersion != nil || isStrengthened(by: version)
    }
}
