import FileProviding

/// The consequences of an operation's success in the vault.
extension ItemWriter {
    /// Records that the operation of a record, which has been removed, has been done.
    func complete(_ record: SyncRecord, _ result: Event.Result, _ effects: inout SyncEffects) throws {
        let item = try reader.item(record.itemID)
        if let item, item.newerVersion != nil { try lookAgain(at: item) }
        switch record.action {
        case .createFolder(let place):
            try appear(record.itemID, at: place, result)
            try markSeenInside(record.itemID)
        case .upload(let copy, let place):
            if let item { try sent(item, copy, to: place, result, &effects) } else { effects.released.append(copy) }
        case .download:
            try settle(Issue.ID(.commandRefused, about: record.itemID))
            try fetched(record, result, &effects)
            try endDownload(record.itemID)
        case .move(let old, let new):
            let before = try reader.serverPlace(of: record.itemID)
            for place in [before, old, new].compactMap({ $0 }) { try markSettled(place) }
            if before != nil { try setServerPlace(of: record.itemID, new) }
            if let item, let contents = result.contents {
                try rebase(item, from: reader.serverContents(of: item), to: contents)
            }
            try takeOver(result, of: record.itemID)
            try addJob(new.parentID, .scan)
        case .copy(let source, let place):
            try appear(
                record.itemID, at: place, result, unseen: FileVersion(size: reader.item(source)?.size))
            try forgetServerPlace(ofRemoved: source)
        case .update(_, let known, let before):
            try updated(record.itemID, result, known, before: before)
        case .delete(let place):
            let place = try reader.serverPlace(of: record.itemID) ?? place
            try markSettled(place)
            try setServerPlace(of: record.itemID, nil)
            try removePolicies(of: record.itemID)
            // The item may have been renamed, so scan its directory.
            if result.isFoundGone == true { try addJob(place.parentID, .scan) }
        }
        if item?.cloudStatus != .localOnly { try clearMissing(record.itemID) }
        if item?.isRemoved ?? true {
            if record.kind != .delete { try removeFromLost(record.itemID) }
            try forgetServerPlace(ofRemoved: record.itemID)
            // What was removed with a directory was waiting for it.
            effects.released += try releaseCopiesOfRemoved(only: item?.isDirectory ?? true ? nil : record.itemID)
        }
        guard let item = try reader.item(record.itemID) else {
            return effects.end(record, .failure(FileError.noSuchFile("item \(record.itemID)")))
        }
        effects.end(record, .success(item))
    }

    /// Records that the server has a new item. A directory's contents are looked up, since it may not be as new as it
    /// seems. So are properties of the item itself that nobody has seen.
    ///
    /// - Parameter unseen: what is known about its contents if nobody has seen it.
    private func appear(
        _ id: LocalID, at place: Place, _ result: Event.Result, unseen: FileVersion = FileVersion()
    ) throws {
        guard let item = try reader.item(id) else { return }
        var version = result.item ?? item.version
        let isDirectory = version.type == .directory
        if isDirectory || result.item == nil { version.etag = nil }
        let isEdited = try reader.copy(of: id).map { copy in
            try reader.records(of: id).contains { $0.action.copy == copy }
        }
        try setOnServer(item, version, keepingEdit: isEdited ?? false)
        if isEdited ?? false { try setBase(of: id, result.item?.contents ?? unseen) }
        try setServerPlace(of: item, place)
        try markSettled(place)
        if isDirectory, !item.isRemoved { try addJob(id, .scan) }
        if result.item == nil { try addJob(place.parentID, .scan) }
    }

    /// Records that the server has received contents.
    private func sent(
        _ item: Item, _ copy: LocalCopy, to place: Place?, _ result: Event.Result, _ effects: inout SyncEffects
    ) throws {
        let id = item.localID
        let known = try reader.serverPlace(of: item)
        let target = known ?? place ?? item.place
        var version = result.item ?? item.version
        let contents = result.contents ?? version.contents
        if result.item == nil { version.etag = contents.etag }
        if try !setSent(item, copy, version, contents: contents) {
            effects.released += try letGo([copy], of: id, .write)
            try setOnServer(item, version, keepingEdit: true)
            try setBase(of: id, contents)
        }
        if let target {
            if known != nil || item.isRemoved || target != item.place { try setServerPlace(of: item, target) }
            try markSettled(target)
            if result.item == nil { try addJob(target.parentID, .scan) }
        }
    }

    /// Records that contents have arrived. An edit that was made in the meantime stays.
    private func fetched(_ record: SyncRecord, _ result: Event.Result, _ effects: inout SyncEffects) throws {
        guard let item = try reader.item(record.itemID) else { return }
        let arrived = LocalCopy(arrivingFor: record, named: item.itemName)
        guard !item.isRemoved, item.cloudStatus == .cloudOnly || item.cloudStatus == .localCopy else {
            effects.released.append(arrived)
            return
        }
        if let old = try reader.copy(of: item.localID), old != arrived {
            // It was claimed after the download was requested.
            guard try !isClaimed(item.localID, .write) else { return effects.released.append(arrived) }
            effects.released += try letGo([old], of: item.localID, .write)
        }
        if let told = result.item, item.differs(from: told) { try lookAgain(at: item) }
        try setCopy(of: item.localID, arrived, version: result.contents ?? item.version.contents)
    }

    /// Adds a listing of an item's directory if a listing has reported something else than the outcome does, since it
    /// is unknown which of the two is newer.
    private func lookAgain(at item: Item) throws {
        if let place = try reader.serverPlace(of: item) ?? item.place { try addJob(place.parentID, .scan) }
    }

    /// Stores what the server now reports about a file; for a directory, only discovery knows what a new tag means.
    private func takeOver(_ result: Event.Result, of id: LocalID) throws {
        guard let item = try reader.item(id), !item.isDirectory, let version = result.item else { return }
        if item.isRemoved { return try takeOver(result.contents, ofRemoved: item) }
        if item.cloudStatus != .localOnly, item.differs(from: version) { try update(item, to: version) }
    }

    /// Stores the version that a command has produced of a file that is to be removed next, in exactly that version.
    func takeOver(_ contents: FileVersion?, ofRemoved item: Item) throws {
        guard let contents, item.type == .regular, item.cloudStatus != .locallyModified else { return }
        var version = item.version
        (version.etag, version.size, version.modificationTime) = (
            contents.etag, contents.size, contents.modificationTime
        )
        try update(item, to: version)
    }
}

extension LocalCopy {
    /// Creates the copy that a download becomes: the same however often it is tried.
    init(arrivingFor record: SyncRecord, named name: ItemName) {
        self.init(id: record.id.rawValue, name: name.storable)
    }
}
