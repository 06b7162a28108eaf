import FileProviding

/// Merging what the server reports about a directory's entries: by the server's identifier first, then by name.
extension ItemWriter {
    /// Merges one entry of `directory`. An item that has not changed is not written.
    ///
    /// The same name with another identifier is another item. A known identifier is the known item, moved or come back.
    /// Local work is never overwritten: the server's version is stored next to it, and the place of an item that a
    /// command moves or removes is recorded as the server's only.
    ///
    /// - Parameters:
    ///   - uncertain: the places and items of commands with an unknown outcome.
    ///   - anchor: when the listing began.
    func merge(
        _ file: FileObject, in directory: LocalID, propagatesETags: Bool, uncertain: UncertainPlaces,
        since anchor: SyncAnchor
    ) throws -> MergeOutcome {
        let place = Place(file.itemName, in: directory)
        guard try !reader.isSettled(place, since: anchor) else { return .stale }
        var version = ServerVersion(file)
        // One file under several names: its identifier does not tell which of them moved.
        if file.linkCount ?? 1 > 1, !file.isDirectory { version.fileID = nil }
        if let departed = try reader.departed(from: place), departed.isSameItem(as: version) {
            guard !departed.isRemoved else { return .complete }
            try refresh(departed, to: version, childrenCount: file.childrenCount, propagatesETags: propagatesETags)
        } else if let fileID = version.fileID, let known = try reader.item(fileID: fileID), known.type == version.type,
            try !isGivenAgain(version, known), try reader.isElsewhere(known.localID)
        {
            // A directory within itself: where it holds what is listed has changed in the meantime.
            if try reader.isInServer(directory, within: known.localID) { return .needsRescan }
            try setServerPlace(of: known.localID, place)
        } else {
            if try isUncertain(version, at: place, uncertain) { return .needsRescan }
            try merge(
                file.itemName, version, childrenCount: file.childrenCount, in: directory,
                propagatesETags: propagatesETags)
        }
        return .complete
    }

    /// Returns whether a command with an unknown outcome may have put an entry there: it is then no loss of the former
    /// item, however old it is, and not a new item if another command has moved the item on, but perhaps only partly.
    /// The next scan looks again.
    private func isUncertain(_ told: ServerVersion, at place: Place, _ uncertain: UncertainPlaces) throws -> Bool {
        if uncertain.isEmpty { return false }
        guard let occupant = try reader.item(named: place.name, in: place.parentID) else {
            // A known item that somebody else has moved there is not the command's work.
            let known = try told.fileID.flatMap { try reader.item(fileID: $0) }
            return uncertain.contain(place) && known?.isRemoved ?? true
        }
        guard try !reader.isElsewhere(occupant.localID) else { return false }
        let version = occupant.isSameItem(as: told) ? try shown(told, of: occupant.localID) : told
        guard !occupant.isSameItem(as: version) || version.wentBack(from: occupant.version),
            occupant.cloudStatus != .locallyModified, occupant.cloudStatus != .localOnly
        else { return false }
        return try uncertain.contain(occupant.localID, at: place, reader)
    }

    private func merge(
        _ name: ItemName, _ told: ServerVersion, childrenCount: Int?, in directory: LocalID, propagatesETags: Bool
    ) throws {
        let occupant = try reader.item(named: name, in: directory)
        let version = try occupant.map { $0.isSameItem(as: told) ? try shown(told, of: $0.localID) : told } ?? told
        // An unfinished command has moved the occupant here: its end shows which of the two gets the name, and lists
        // again.
        if let occupant, try reader.isElsewhere(occupant.localID) { return }
        if let occupant, occupant.isDirectory, version.type == .directory, !occupant.isSameItem(as: version),
            version.wentBack(from: occupant.version)
        {
            // Another directory in its place, older than it: one from a backup, whose identifiers are new.
            try note(.certain)
        }
        if let occupant, try keepsBack(version, from: occupant) {
            return try setNewerVersion(of: occupant, to: version)
        }
        if let occupant, occupant.isSameItem(as: version) {
            return try refresh(occupant, to: version, childrenCount: childrenCount, propagatesETags: propagatesETags)
        }
        if let occupant {
            if occupant.cloudStatus == .localOnly || occupant.cloudStatus == .locallyModified {
                return try setNewerVersion(of: occupant, to: version)
            }
            try remove(occupant.localID)
        }
        try place(name, version, childrenCount: childrenCount, in: directory, propagatesETags: propagatesETags)
    }

    /// Merges an entry whose name is free: a known item that has moved here or come back, or a new one.
    func place(
        _ name: ItemName, _ version: ServerVersion, childrenCount: Int?, in directory: LocalID, propagatesETags: Bool
    ) throws {
        if let fileID = version.fileID, let known = try reader.item(fileID: fileID), known.type == version.type,
            try !isGivenAgain(version, known), try !isInside(directory, known),
            try !reader.isInServer(directory, within: known.localID)
        {
            return try bring(
                known, to: directory, as: name, version, childrenCount: childrenCount, propagatesETags: propagatesETags)
        }
        let id = try insert(name, in: directory, version, childrenCount: childrenCount, isOnServer: true)
        if version.fileID == nil { try takeUpPolicies(id, name, version.type, in: directory) }
        if version.type == .directory { try addJob(id, .scan) }
    }

    /// Returns whether an item's identifier has been reused: what has it now is from before the version that the item's
    /// copy, or the edit of that, was made from.
    private func isGivenAgain(_ version: ServerVersion, _ item: Item) throws -> Bool {
        guard item.cloudStatus == .locallyModified else { return version.isReverted(item) }
        guard let copied = try reader.copyVersion(of: item.localID) else { return false }
        var base = item.version
        (base.etag, base.modificationTime) = (copied.etag, copied.modificationTime)
        return version.wentBack(from: base)
    }

    private func refresh(
        _ item: Item, to told: ServerVersion, childrenCount: Int?, propagatesETags: Bool
    ) throws {
        let version = try shown(told, of: item.localID)
        guard item.differs(from: version) || item.cloudStatus == .localOnly else {
            if item.isStrengthened(by: version) { try setTag(of: item.localID, version.etag) }
            // The server again has the known version, after something older.
            return try setNewerVersion(of: item, to: nil)
        }
        if item.isDirectory, item.cloudStatus == .localOnly || propagatesETags && item.etag != version.etag {
            try addJob(item.localID, .scan)
        }
        if item.isDirectory, version.wentBack(from: item.version) {
            try note(item.fileID == nil ? .byName : .certain)
            // What is lost in it shows which.
            if item.fileID == nil { try addJob(item.localID, .scan) }
        }
        try update(item, to: version, childrenCount: childrenCount)
    }

    /// Moves an item to where the server has it now. What is below a directory moves with it; below one that had been
    /// given up, everything is looked for again.
    private func bring(
        _ item: Item, to directory: LocalID, as name: ItemName, _ version: ServerVersion, childrenCount: Int?,
        propagatesETags: Bool
    ) throws {
        let wasRemoved = item.isRemoved
        if let parent = item.parentID, parent != directory, !wasRemoved, try !reader.isMissing(item.localID),
            try reader.requests(ofJob: parent) == nil
        {
            // Nothing has shown that it is gone from there: perhaps what is being listed is that directory, under its
            // new path.
            try addJob(parent, .nextScan)
        }
        try move(item.localID, to: name, in: directory)
        if wasRemoved { try resend(item) }
        // Without tags only its listing shows what was moved into it together with it.
        if item.isDirectory, wasRemoved || !propagatesETags || item.etag != version.etag {
            try addJob(item.localID, .scan)
        }
        if item.differs(from: version) || wasRemoved {
            try update(item, to: version, childrenCount: childrenCount)
        } else {
            // What has its former name is another item.
            try setNewerVersion(of: item, to: nil)
        }
    }

    /// Records that a listing of `directory`, begun at `anchor`, did not have these items. Those with an identifier may
    /// still be found elsewhere by the rest of a scan, and how many there are is known only at its end. If the outcome
    /// of a command is not known, absence means nothing: an overwrite may be half done, or a move not reported yet.
    func mergeAbsence(
        of gone: [ItemName: Item], from directory: LocalID, since anchor: SyncAnchor
    ) throws -> MergeOutcome {
        var outcome = MergeOutcome.complete
        let uncertain = gone.isEmpty ? UncertainPlaces() : try reader.uncertainPlaces()
        for (name, known) in gone {
            let place = Place(name, in: directory)
            if try uncertain.contain(known.localID, at: place, reader) {
                outcome = .needsRescan
                continue
            }
            guard let item = try reader.item(known.localID), !item.isRemoved, item.cloudStatus != .localOnly,
                try reader.serverPlace(of: item.localID) == place, try !reader.isSettled(place, since: anchor)
            else { continue }
            try markMissing(item.localID)
        }
        return outcome
    }

    /// Turns an item that the server no longer has into tombstones, except that whatever has unsent changes becomes a
    /// placeholder. What the server has elsewhere, since it was moved here only locally, is not lost; what it had in
    /// the item is, wherever it is locally.
    func giveUp(_ item: Item) throws {
        try uncover(item)
        try setServerPlace(of: item.localID, nil)
        try giveUpDeparted(from: item)
        if item.isRemoved { return }
        let arrivals = try Set(reader.arrivals(below: item.localID).map(\.localID))
        guard try !arrivals.isEmpty || !reader.unsentItems(below: item.localID).isEmpty else {
            try remove(item.localID)
            return
        }
        // Directories above unsent changes stay, to hold them; they are to be created on the server again too.
        for child in try reader.children(of: item.localID)
        where child.cloudStatus != .localOnly && !arrivals.contains(child.localID) { try giveUp(child) }
        try detach(item.localID)
        if item.isDirectory { try forgetListing(of: item.localID) }
    }

    private func giveUpDeparted(from item: Item) throws {
        let departed = try reader.departed(from: item)
        let uncertain = departed.isEmpty ? UncertainPlaces() : try reader.uncertainPlaces()
        for item in departed {
            // If a command may have taken it from there by now, the command's outcome shows that.
            if let place = try reader.serverPlace(of: item.localID),
                try !uncertain.contain(item.localID, at: place, reader)
            {
                try giveUp(item)
            }
        }
    }

    /// Returns whether `directory` is `item` or lies below it, so that the item cannot be moved there.
    func isInside(_ directory: LocalID, _ item: Item) throws -> Bool {
        guard item.isDirectory else { return false }
        var next: LocalID? = directory
        while let id = next {
            if id == item.localID { return true }
            next = try reader.item(id)?.parentID
        }
        return false
    }
}

/// The degree to which a listing could be merged.
enum MergeOutcome: Comparable {
    /// Completely.
    case complete
    /// Not where the outcome of a command is not known: the next scan has to look again.
    case needsRescan
    /// Not where a command has changed something since the listing began: it has to be listed again at once.
    case stale
}

extension Item {
    /// Returns whether an entry under this item's name is this item: by identifier if both have one, otherwise by type.
    func isSameItem(as version: ServerVersion) -> Bool {
        if cloudStatus == .localOnly { return isDirectory && version.type == .directory }
        guard type == version.type else { return false }
        guard let mine = fileID, let other = version.fileID else { return true }
        return mine == other
    }

    /// Returns whether the server reports something else about this item than is known.
    ///
    /// A tag that has only become strong or weak means nothing: some servers' tags are weak until a file is a second
    /// old. Neither does it mean anything that a listing omits properties that only a single item is asked for.
    func differs(from version: ServerVersion) -> Bool {
        if cloudStatus == .locallyModified { return true }
        guard self.version != version else { return false }
        guard let etag, let other = version.etag, etag.opaque == other.opaque else { return true }
        var version = version
        version.etag = etag
        version.contentType = version.contentType ?? self.version.contentType
        version.creationTime = version.creationTime ?? self.version.creationTime
        return self.version != version
    }

    /// Returns whether the server has turned a weak tag of this item into a strong one.
    func isStrengthened(by version: ServerVersion) -> Bool {
        guard let etag, let other = version.etag else { return false }
        return etag.isWeak && !other.isWeak && etag.opaque == other.opaque
    }
}
