import FileProviding

/// What the server says of a directory's entries, taken over: by the server's identifier first, then by name.
extension ItemWriter {
    /// Takes over one entry of `directory`. An item that is as the server says is not written.
    ///
    /// The same name with another identifier is another item. A known identifier is the known item, moved or come back.
    /// Local work is never overwritten: the server's version is noted beside it, and the place of an item that a command
    /// moves or removes is noted as the server's only.
    ///
    /// - Parameters:
    ///   - uncertain: what commands of unknown outcome are about.
    ///   - anchor: when the listing began.
    func merge(
        _ file: FileObject, in directory: LocalID, propagatesETags: Bool, uncertain: UncertainPlaces,
        since anchor: SyncAnchor
    ) throws -> Credence {
        let place = Place(file.itemName, in: directory)
        guard try !reader.isSettled(place, since: anchor) else { return .outdated }
        var version = ServerVersion(file)
        // One file under several names: its identifier does not tell which of them moved.
        if file.linkCount ?? 1 > 1, !file.isDirectory { version.fileID = nil }
        if let departed = try reader.departed(from: place), departed.isSameItem(as: version) {
            guard !departed.isRemoved else { return .believed }
            try refresh(departed, to: version, childrenCount: file.childrenCount, propagatesETags: propagatesETags)
        } else if let fileID = version.fileID, let known = try reader.item(fileID: fileID), known.type == version.type,
            try !isGivenAgain(version, known), try reader.isElsewhere(known.localID)
        {
            // A directory in itself: where it holds what is listed has changed meanwhile.
            if try reader.isInServer(directory, within: known.localID) { return .doubted }
            try setServerPlace(of: known.localID, place)
        } else {
            if try isUncertain(version, at: place, uncertain) { return .doubted }
            try merge(
                file.itemName, version, childrenCount: file.childrenCount, in: directory,
                propagatesETags: propagatesETags)
        }
        return .believed
    }

    /// Whether a command of unknown outcome may have put an entry there: no loss of what had the name, however old it is, and
    /// nothing new where another command has moved the item on, but perhaps half done. The next scan looks again.
    private func isUncertain(_ told: ServerVersion, at place: Place, _ uncertain: UncertainPlaces) throws -> Bool {
        if uncertain.isEmpty { return false }
        guard let occupant = try reader.item(named: place.name, in: place.parentID) else {
            // A known item that somebody else has moved there is no work of the command's.
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
        // Moved here by a command that is not finished: its end tells which of the two gets the name, and looks again.
        if let occupant, try reader.isElsewhere(occupant.localID) { return }
        if let occupant, occupant.isDirectory, version.type == .directory, !occupant.isSameItem(as: version),
            version.wentBack(from: occupant.version)
        {
            // Another directory in its place, older than it: a backup's, whose identifiers are new.
            try setServerWentBack(true)
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

    /// Takes over an entry whose name is free: a known item that has moved here or come back, or a new one.
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
        if version.type == .directory { try addJob(id, .scan) }
    }

    /// Whether an item's identifier is another's by now: what has it is from before the version that the item's copy, or the edit
    /// of that, was made from.
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
            // The server has again what was known, after something older.
            return try setNewerVersion(of: item, to: nil)
        }
        if item.isDirectory, item.cloudStatus == .localOnly || propagatesETags && item.etag != version.etag {
            try addJob(item.localID, .scan)
        }
        if item.isDirectory, item.fileID != nil, version.wentBack(from: item.version) { try setServerWentBack(true) }
        try update(item, to: version, childrenCount: childrenCount)
    }

    /// Takes an item to where the server has it now. What lies below a directory comes with it; below one that had been
    /// given up, everything is looked for again.
    private func bring(
        _ item: Item, to directory: LocalID, as name: ItemName, _ version: ServerVersion, childrenCount: Int?,
        propagatesETags: Bool
    ) throws {
        let wasRemoved = item.isRemoved
        if let parent = item.parentID, parent != directory, !wasRemoved, try !reader.isMissing(item.localID),
            try reader.requests(ofJob: parent) == nil
        {
            // Nothing has told that it is gone from there: perhaps what is listed is that directory, under its new path.
            try addJob(parent, .nextScan)
        }
        try move(item.localID, to: name, in: directory)
        if item.isDirectory, wasRemoved || propagatesETags && item.etag != version.etag {
            try addJob(item.localID, .scan)
        }
        if item.differs(from: version) || wasRemoved {
            try update(item, to: version, childrenCount: childrenCount)
        }
    }

    /// Takes over that a listing of `directory`, begun at `anchor`, did not have these items. Those with an identifier
    /// may yet be found elsewhere by the rest of a scan, and how many there are is known at its end only. Where the
    /// outcome of a command is not known, absence says nothing: an overwrite may be half done, a move not yet told of.
    func mergeAbsence(
        of gone: [ItemName: Item], from directory: LocalID, since anchor: SyncAnchor
    ) throws -> Credence {
        var credence = Credence.believed
        let uncertain = gone.isEmpty ? UncertainPlaces() : try reader.uncertainPlaces()
        for (name, known) in gone {
            let place = Place(name, in: directory)
            if try uncertain.contain(known.localID, at: place, reader) {
                credence = .doubted
                continue
            }
            guard let item = try reader.item(known.localID), !item.isRemoved, item.cloudStatus != .localOnly,
                try reader.serverPlace(of: item.localID) == place, try !reader.isSettled(place, since: anchor)
            else { continue }
            try markMissing(item.localID)
        }
        return credence
    }

    /// Leaves tombstones of an item that the server no longer has, and placeholders of whatever has unsent changes. What the
    /// server has elsewhere, as it was moved there here only, is not lost; what it had in there is, wherever it is here.
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
        // Directories above unsent changes stay, to hold them; they too are to be made on the server again.
        for child in try reader.children(of: item.localID)
        where child.cloudStatus != .localOnly && !arrivals.contains(child.localID) { try giveUp(child) }
        try detach(item.localID)
        if item.isDirectory { try forgetListing(of: item.localID) }
    }

    private func giveUpDeparted(from item: Item) throws {
        let departed = try reader.departed(from: item)
        let uncertain = departed.isEmpty ? UncertainPlaces() : try reader.uncertainPlaces()
        for item in departed {
            // One that a command may have taken from there by now, its outcome tells of.
            if let place = try reader.serverPlace(of: item.localID),
                try !uncertain.contain(item.localID, at: place, reader)
            {
                try giveUp(item)
            }
        }
    }

    /// Whether `directory` is `item` or lies below it, so that the item cannot be moved there.
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

/// How far what a listing tells could be taken over.
enum Credence: Comparable {
    /// All of it.
    case believed
    /// Not where the outcome of a command is not known: to be looked at again by the next scan.
    case doubted
    /// Not where a command has changed something since the listing began: to be looked at again at once.
    case outdated
}

extension Item {
    /// Whether an entry under this item's name is this item: by identifier where both have one, else by type.
    func isSameItem(as version: ServerVersion) -> Bool {
        if cloudStatus == .localOnly { return isDirectory && version.type == .directory }
        guard type == version.type else { return false }
        guard let mine = fileID, let other = version.fileID else { return true }
        return mine == other
    }

    /// Whether the server says something else of this item than is known.
    ///
    /// A tag that has only become strong or weak says nothing: some servers' tags are weak until a file is a second old. Nor
    /// does it say anything that a listing leaves out what one item alone is asked for.
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

    /// Whether the server has made a weak tag of this item strong.
    func isStrengthened(by version: ServerVersion) -> Bool {
        guard let etag, let other = version.etag else { return false }
        return etag.isWeak && !other.isWeak && etag.opaque == other.opaque
    }
}
