import FileProviding

/// Keeping the local item next to the server's item of the same name.
extension ItemWriter {
    /// Keeps both: the local item gets another name, locally and on the server; or only on the server, if a later
    /// command moves it elsewhere anyway, or if it no longer exists locally and is only to be copied there.
    func keepBoth(_ record: SyncRecord, _ effects: inout SyncEffects) throws {
        guard let item = try reader.item(record.itemID), let place = try placeForBoth(record, item) else { return }
        let name = try reader.freeName(
            like: item.itemName, in: place.parentID, at: now, from: 1, for: item.localID)
        let new = Place(name, in: place.parentID)
        guard let action = record.action.placed(at: new) else { return }
        var record = record
        record.action = action
        if item.isRemoved {
            // The server's item of this name is somebody else's.
            if action.makesItem { try detach(item.localID) }
        } else if record.kind == .upload, item.cloudStatus == .locallyModified {
            record.itemID = try part(item, as: new)
            try follow(record, from: item.localID, &effects)
        } else if record.kind == .copy, item.cloudStatus != .localOnly {
            // It has been merged with the server's directory of that name.
            record.itemID = try insert(name, in: new.parentID, ServerVersion(type: item.type), isOnServer: false)
            if try reader.item(new.parentID)?.isRemoved ?? true { try remove(record.itemID) }
            try follow(record, from: item.localID, &effects)
        } else if place == item.place {
            try move(item.localID, to: name, in: new.parentID)
        }
        try addJob(new.parentID, .scan)
        try resume(record, &effects)
    }

    /// Returns the place next to which an item is kept: where it is locally, or where it is only temporarily on the
    /// server.
    private func placeForBoth(_ record: SyncRecord, _ item: Item) throws -> Place? {
        let isEdit = record.kind == .upload && item.cloudStatus == .locallyModified
        let isPassing =
            try !isEdit && reader.records(of: item.localID).contains { $0.number > record.number && $0.kind == .move }
        guard item.isRemoved || isPassing else { return item.place }
        return try record.places.last ?? reader.serverPlace(of: item.localID) ?? item.place
    }

    /// Turns an edit into a separate item, next to the one that was edited, which shows what the server has.
    private func part(_ item: Item, as place: Place) throws -> LocalID {
        let id = try insert(place.name, in: place.parentID, ServerVersion(type: .regular), isOnServer: false)
        if let copy = try reader.copy(of: item.localID) {
            if try isClaimed(item.localID) { try hold(copy, of: item.localID, .delete) }
            try setModified(id, copy, size: item.size ?? 0, modificationTime: item.modificationTime ?? now)
        }
        try revert(item)
        return id
    }

    /// Makes later edits, attributes and copies of a record's former item refer to its current item.
    private func follow(_ record: SyncRecord, from old: LocalID, _ effects: inout SyncEffects) throws {
        for var later in try reader.records(of: old) + reader.copies(of: old) where later.number > record.number {
            switch later.action {
            case .upload(let copy, _):
                later.itemID = record.itemID
                later.action = .upload(copy, to: nil)
            case .copy(old, let place):
                later.action = .copy(record.itemID, to: place)
            case .update:
                later.itemID = record.itemID
            default:
                continue
            }
            try update(later)
            effects.records.insert(later.number)
        }
    }
}
