import FileProviding

/// Taking back what a command changed in the vault, when it is cancelled or cannot be done.
extension ItemWriter {
    /// Ends a record and makes the vault as the server is. Contents that only the vault has go to its recovery folder.
    func giveUp(_ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        try removeRecord(record.number)
        if record.isDoubtful { for place in record.places { try addJob(place.parentID, .scan) } }
        // One may be about another command, which waits for its answer.
        if try !reader.records(of: record.itemID).contains(where: { $0.waits.contains(.answer) }) {
            try settleIssues(of: record.itemID)
        }
        effects.end(record, .failure(failure.error))
        guard let item = try reader.item(record.itemID) else { return }
        switch record.action {
        case .createFolder, .copy:
            // A directory may be one with the server's by now.
            if item.cloudStatus == .localOnly { try abandon(item, failure, &effects) }
            if let source = record.action.source { try forgetServerPlace(ofRemoved: source) }
        case .upload(let copy, _):
            try effects.recover(copy)
            if item.cloudStatus == .localOnly {
                try abandon(item, failure, &effects)
            } else if try reader.copy(of: item.localID) == copy {
                // Whether a version that nobody has seen may be removed, the server's answer to the removal tells.
                if item.isRemoved { try showBase(of: item) } else { try revert(item) }
            }
        case .download:
            break
        case .move:
            try putBack(item, failure, &effects)
        case .update(let attributes, _, let before):
            try takeBack(attributes, before: before, of: item)
            if let parent = try reader.serverPlace(of: item.localID)?.parentID { try addJob(parent, .scan) }
        case .delete(let place):
            try revive(item, at: place)
        }
        try forgetServerPlace(ofRemoved: item.localID)
    }

    /// Removes a placeholder and everything below it; commands about those end with it, and what was moved there goes back.
    /// What was removed from there is only removed, where the server has it.
    private func abandon(_ item: Item, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        let arrivals =
            try item.isRemoved ? reader.removedArrivals(in: item) : reader.arrivals(below: item.localID)
        for record in item.isRemoved ? try reader.records(of: item.localID) : [] { try end(record, failure, &effects) }
        for arrival in arrivals {
            for record in try reader.records(of: arrival.localID) where record.kind == .move {
                try end(record, failure, &effects)
            }
            try putBack(arrival, failure, &effects)
        }
        for tombstone in try reader.tombstonesWithRecords(in: item) {
            let records = try reader.records(of: tombstone.localID).filter { $0.phase == .ready }
            for record in records where record.kind != .delete { try end(record, failure, &effects) }
        }
        for id in item.isRemoved ? [] : try remove(item.localID) {
            for record in try reader.records(of: id) { try end(record, failure, &effects) }
        }
    }

    private func end(_ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        try removeRecord(record.number)
        if let copy = record.action.copy { try effects.recover(copy) }
        if let source = record.action.source { try forgetServerPlace(ofRemoved: source) }
        effects.end(record, .failure(failure.error))
    }

    /// Shows a file as the server has it.
    func revert(_ item: Item) throws {
        if let newer = item.newerVersion {
            try setCopy(of: item.localID, nil, version: nil)
            try setOnServer(item, newer, keepingEdit: false)
            if newer.type == .directory { try addJob(item.localID, .scan) }
        } else {
            try showBase(of: item)
        }
        if let parent = item.parentID { try addJob(parent, .scan) }
    }

    /// Shows a file in the version that its edit was made from.
    func showBase(of item: Item) throws {
        var version = item.version
        if let base = try reader.copyVersion(of: item.localID) {
            (version.etag, version.size, version.modificationTime) = (base.etag, base.size, base.modificationTime)
        }
        try setCopy(of: item.localID, nil, version: nil)
        try setOnServer(item, version, keepingEdit: false)
    }

    /// Moves an item back to where the server has it, unless a later command takes it elsewhere. What was to be removed there
    /// with everything in it stays, unless the item itself is being removed.
    private func putBack(_ item: Item, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        guard try !reader.records(of: item.localID).contains(where: { $0.kind == .move || $0.kind == .delete }),
            let place = try reader.serverPlace(of: item.localID)
        else { return }
        if try reader.removal(above: item.localID) == nil { try spare(place.parentID, failure, &effects) }
        if item.isRemoved {
            try revive(item, at: place)
            return try forgetServerPlace(ofRemoved: item.localID)
        }
        guard try reader.item(place.parentID)?.isRemoved == false else {
            // Gone with its directory, or to be found again with it.
            return try giveUp(item)
        }
        try clear(place.parentID, from: item, failure, &effects)
        guard try !isInside(place.parentID, item) else { return try giveUp(item) }
        try bring(item.localID, backTo: place, isThere: failure.meaning != .missing)
        try addJob(place.parentID, .scan)
    }

    /// Moves back out of an item what was moved into it and is, or holds, the directory to which it goes back.
    private func clear(
        _ directory: LocalID, from item: Item, _ failure: EventFailure, _ effects: inout SyncEffects
    ) throws {
        guard try isInside(directory, item) else { return }
        var holders: [Item] = []
        while let holder = try reader.item(holders.last?.parentID ?? directory), holder.localID != item.localID {
            holders.append(holder)
        }
        for holder in holders.reversed() where try reader.isElsewhere(holder.localID) {
            for record in try reader.records(of: holder.localID) where record.kind == .move {
                try end(record, failure, &effects)
            }
            try putBack(holder, failure, &effects)
        }
    }

    /// Calls off every removal by which a directory would go, wherever it is now or goes before.
    private func spare(_ directory: LocalID, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        var removed: [LocalID] = []
        var next = [directory]
        while let id = next.popLast() {
            guard try !removed.contains(id) && reader.item(id)?.isRemoved ?? false else { continue }
            removed.append(id)
            next += try reader.parents(of: id)
        }
        // What is above comes back first.
        for id in removed.reversed() {
            for record in try reader.records(of: id) where record.kind == .delete {
                try giveUp(record, failure, &effects)
            }
        }
    }

    /// Brings a removed item back, if the directory that the server has it in is there.
    private func revive(_ item: Item, at place: Place) throws {
        let place = try reader.serverPlace(of: item.localID) ?? place
        guard item.isRemoved, try reader.item(place.parentID)?.isRemoved == false else { return }
        try bring(item.localID, backTo: place)
        if item.cloudStatus != .localCopy, let copy = try reader.copy(of: item.localID),
            try !reader.records(of: item.localID).contains(where: { $0.action.copy == copy })
        {
            try addRecord(EventID(), of: item.localID, .upload(copy, to: nil), total: item.size)
        }
        // What listings told of it meanwhile was about a tombstone.
        try addJob(place.parentID, .scan)
        if item.isDirectory { try addJob(item.localID, .scan) }
    }

    /// Where the name has been taken by something else meanwhile, the item gets one like it, on the server too if it is there:
    /// whether it is lost, a scan tells.
    private func bring(_ id: LocalID, backTo place: Place, isThere: Bool = true) throws {
        let occupant = try reader.item(named: place.name, in: place.parentID)?.localID
        let name = try reader.freeName(like: place.name, in: place.parentID, at: now, for: id)
        try move(id, to: name, in: place.parentID)
        if name == place.name { return try setServerPlace(of: id, place) }
        guard isThere, try occupant.map({ try reader.serverPlace(of: $0) != place }) ?? true else {
            return try setServerPlace(of: id, nil)
        }
        try setServerPlace(of: id, place)
        try addRecord(EventID(), of: id, .move(from: place, to: Place(name, in: place.parentID)))
    }
}

extension ItemReader {
    /// The name, or where it is taken here or on the server one like it: `base (date).ext`, a number behind the date where
    /// that is taken too.
    ///
    /// - Parameters:
    ///   - first: 0 to begin with the name itself, 1 with one like it.
    ///   - id: the item that gets the name, in whose own way it does not stand.
    func freeName(
        like name: ItemName, in directory: LocalID, at time: FileTime, from first: Int = 0, for id: LocalID
    ) throws -> ItemName {
        let taken = try serverEntries(of: directory)
        var number = first
        while true {
            let candidate = number == 0 ? name : name.marked(time, number)
            let occupants = [taken[candidate], try item(named: candidate, in: directory)].compactMap { $0?.localID }
            if occupants.allSatisfy({ $0 == id }) { return candidate }
            number += 1
        }
    }
}
