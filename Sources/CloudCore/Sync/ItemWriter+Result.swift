import FileProviding

/// What the success of an operation changes in the vault.
extension ItemWriter {
    /// Takes over that a record's operation has been done, and ends the record.
    func complete(_ record: SyncRecord, _ result: Event.Result, _ effects: inout SyncEffects) throws {
        try lookAgain(if: { $0.newerVersion != nil }, at: record.itemID)
        switch record.action {
        case .createFolder(let place):
            try appear(record.itemID, at: place, result)
        case .upload(let copy, let place):
            try sent(record.itemID, copy, to: place, result)
        case .download:
            try fetched(record, result, &effects)
        case .move(let old, let new):
            let before = try reader.serverPlace(of: record.itemID)
            for place in [before, old, new].compactMap({ $0 }) { try markSettled(place) }
            if before != nil { try setServerPlace(of: record.itemID, new) }
            if let contents = result.contents, try reader.copyVersion(of: record.itemID) != nil {
                try setBase(of: record.itemID, contents)
            }
            try takeOver(result, of: record.itemID)
            try addJob(new.parentID, .scan)
        case .copy(_, let place):
            try appear(record.itemID, at: place, result)
        case .update:
            try removeRecord(record.number)
            try updated(record.itemID, result)
        case .delete(let place):
            try markSettled(try reader.serverPlace(of: record.itemID) ?? place)
            try setServerPlace(of: record.itemID, nil)
        }
        try clearMissing(record.itemID)
        try removeRecord(record.number)
        if record.kind == .delete || record.action.copy != nil { effects.released += try releaseCopiesOfRemoved() }
        if let copy = record.action.copy, try reader.copy(of: record.itemID) != copy { effects.released.append(copy) }
        let item = try reader.item(record.itemID)
        effects.end(record, item.map { .success($0) } ?? .failure(FileError.noSuchFile("item \(record.itemID)")))
    }

    /// The server has a new item. What a directory holds is looked for: it may not be as new as it seems.
    private func appear(_ id: LocalID, at place: Place, _ result: Event.Result) throws {
        guard let item = try reader.item(id) else { return }
        var version = result.item ?? item.version
        if item.isDirectory { version.etag = nil }
        try setOnServer(id, version, keepingEdit: false)
        try setServerPlace(of: id, place)
        try markSettled(place)
        if item.isDirectory, !item.isRemoved { try addJob(id, .scan) }
    }

    /// The server has contents from here.
    private func sent(_ id: LocalID, _ copy: LocalCopy, to place: Place?, _ result: Event.Result) throws {
        guard let item = try reader.item(id) else { return }
        let isCurrent = try reader.copy(of: id) == copy
        let target = try reader.serverPlace(of: id) ?? place ?? item.place
        let version = result.item ?? item.version
        try setOnServer(id, version, keepingEdit: !isCurrent)
        if isCurrent {
            try setCopy(of: id, copy, version: result.contents ?? version.contents)
        } else {
            try setBase(of: id, result.contents ?? version.contents)
        }
        if let target {
            try setServerPlace(of: id, target)
            try markSettled(target)
        }
    }

    /// Contents have arrived. An edit that was made meanwhile stays.
    private func fetched(_ record: SyncRecord, _ result: Event.Result, _ effects: inout SyncEffects) throws {
        guard let item = try reader.item(record.itemID) else { return }
        let arrived = LocalCopy(arrivingFor: record, named: item.itemName)
        guard !item.isRemoved, item.cloudStatus != .locallyModified else {
            effects.released.append(arrived)
            return
        }
        if let old = try reader.copy(of: item.localID), old != arrived { effects.released.append(old) }
        try lookAgain(if: { result.item.map($0.differs) ?? false }, at: item.localID)
        try setCopy(of: item.localID, arrived, version: result.contents ?? item.version.contents)
    }

    /// Has an item's directory listed again where a listing has told something else than the outcome does: which of them is
    /// the newer, nobody knows.
    private func lookAgain(if isOther: (Item) -> Bool, at id: LocalID) throws {
        guard let item = try reader.item(id), isOther(item) else { return }
        if let place = try reader.serverPlace(of: id) ?? item.place { try addJob(place.parentID, .scan) }
    }

    /// Takes over what the server says of a file now; of a directory only discovery knows what a new tag is about.
    private func takeOver(_ result: Event.Result, of id: LocalID) throws {
        guard let item = try reader.item(id), !item.isDirectory, !item.isRemoved, let version = result.item else {
            return
        }
        if item.cloudStatus != .localOnly, item.differs(from: version) { try update(item, to: version) }
    }
}

extension LocalCopy {
    /// The copy that a download becomes: the same however often it is tried.
    init(arrivingFor record: SyncRecord, named name: ItemName) {
        self.init(id: record.id.rawValue, name: name)
    }
}
