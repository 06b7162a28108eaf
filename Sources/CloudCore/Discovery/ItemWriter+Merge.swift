import FileProviding

/// What the server says of a directory's entries, taken over: by the server's identifier first, then by name.
extension ItemWriter {
    /// Takes over one entry of `directory`. An item that is as the server says is not written.
    ///
    /// The same name with another identifier is another item. A known identifier is the known item, moved or come back.
    /// Local work is never overwritten: the server's version is noted beside it, and the place of an item that a command
    /// moves or removes is noted as the server's only.
    ///
    /// - Parameter anchor: when the listing began.
    /// - Returns: whether it was taken over; not where a command has changed this very place since the listing began.
    @discardableResult
    func merge(
        _ file: FileObject, in directory: LocalID, propagatesETags: Bool, since anchor: SyncAnchor
    ) throws -> Bool {
        let place = Place(file.itemName, in: directory)
        guard try !reader.isSettled(place, since: anchor) else { return false }
        var version = ServerVersion(file)
        // One file under several names: its identifier does not tell which of them moved.
        if file.linkCount ?? 1 > 1, !file.isDirectory { version.fileID = nil }
        if let departed = try reader.departed(from: place), departed.isSameItem(as: version) {
            if !departed.isRemoved { try refresh(departed, to: version, of: file, propagatesETags: propagatesETags) }
            return true
        }
        let occupant = try reader.item(named: file.itemName, in: directory)
        if let occupant, occupant.isSameItem(as: version), try !reader.isElsewhere(occupant.localID) {
            try refresh(occupant, to: version, of: file, propagatesETags: propagatesETags)
            return true
        }
        if let fileID = version.fileID, let known = try reader.item(fileID: fileID),
            try reader.isElsewhere(known.localID)
        {
            try setServerPlace(of: known.localID, place)
            return true
        }
        if let occupant {
            if occupant.cloudStatus == .localOnly || occupant.cloudStatus == .locallyModified {
                try setNewerVersion(of: occupant, to: version)
                return true
            }
            // Moved here by a command that is not finished: its end tells which of the two gets the name, and looks again.
            if try reader.isElsewhere(occupant.localID) { return true }
            try remove(occupant.localID)
        }
        if let fileID = version.fileID, let known = try reader.item(fileID: fileID), known.type == version.type,
            try !isInside(directory, known)
        {
            try bring(known, to: directory, version, of: file, propagatesETags: propagatesETags)
            return true
        }
        let id = try insert(
            file.itemName, in: directory, version, childrenCount: file.childrenCount, isOnServer: true)
        if file.isDirectory { try addJob(id, .scan) }
        return true
    }

    private func refresh(
        _ item: Item, to version: ServerVersion, of file: FileObject, propagatesETags: Bool
    ) throws {
        guard item.differs(from: version) || item.cloudStatus == .localOnly else { return }
        if item.isDirectory, item.cloudStatus == .localOnly || propagatesETags && item.etag != version.etag {
            try addJob(item.localID, .scan)
        }
        try update(item, to: version, childrenCount: file.childrenCount)
    }

    /// Takes an item to where the server has it now. What lies below a directory comes with it; below one that had been
    /// given up, everything is looked for again.
    private func bring(
        _ item: Item, to directory: LocalID, _ version: ServerVersion, of file: FileObject, propagatesETags: Bool
    ) throws {
        let wasRemoved = item.isRemoved
        try move(item.localID, to: file.itemName, in: directory)
        if item.isDirectory, wasRemoved || propagatesETags && item.etag != version.etag {
            try addJob(item.localID, .scan)
        }
        if item.differs(from: version) || wasRemoved {
            try update(item, to: version, childrenCount: file.childrenCount)
        }
    }

    /// Takes over that a listing of `directory`, begun at `anchor`, did not have these items. Those with an identifier may yet
    /// be found elsewhere by the rest of a scan.
    func mergeAbsence(of gone: [ItemName: Item], from directory: LocalID, since anchor: SyncAnchor) throws {
        for (name, known) in gone {
            let place = Place(name, in: directory)
            guard let item = try reader.item(known.localID), !item.isRemoved, item.cloudStatus != .localOnly,
                try reader.serverPlace(of: item.localID) == place, try !reader.isSettled(place, since: anchor)
            else { continue }
            if item.fileID != nil { try markMissing(item.localID) } else { try giveUp(item) }
        }
    }

    /// Leaves tombstones of an item that the server no longer has, and placeholders of whatever has unsent changes.
    func giveUp(_ item: Item) throws {
        try setServerPlace(of: item.localID, nil)
        let unsent = try reader.unsentItems(below: item.localID)
        guard !unsent.isEmpty else {
            try remove(item.localID)
            return
        }
        for item in unsent { try detach(item.localID) }
        // Directories above unsent changes stay, to hold them; they too are to be made on the server again.
        if !item.isDirectory { return }
        for child in try reader.children(of: item.localID) where child.cloudStatus != .localOnly { try giveUp(child) }
        try detach(item.localID)
        try forgetListing(of: item.localID)
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

extension Item {
    /// Whether an entry under this item's name is this item: by identifier where both have one, else by type.
    func isSameItem(as version: ServerVersion) -> Bool {
        if cloudStatus == .localOnly { return isDirectory && version.type == .directory }
        guard type == version.type else { return false }
        guard let mine = fileID, let other = version.fileID else { return true }
        return mine == other
    }

    /// Whether the server says something else of this item than is known.
    func differs(from version: ServerVersion) -> Bool {
        cloudStatus == .locallyModified || self.version != version
    }
}
