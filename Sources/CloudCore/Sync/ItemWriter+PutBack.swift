import FileProviding

/// Bringing items back to where they were before a command that is cancelled or cannot be done.
extension ItemWriter {
    /// Moves an item back to where an earlier command takes it or the server has it, unless a later command takes it
    /// elsewhere. A removal of that directory with everything in it is cancelled, unless the item itself is being
    /// removed.
    ///
    /// - Parameter ended: the command that is cancelled, the first if there are several.
    func putBack(
        _ item: Item, after ended: SyncRecord?, _ failure: EventFailure, _ effects: inout SyncEffects
    ) throws {
        let number = ended?.number ?? .max
        let records = try reader.records(of: item.localID)
        guard !records.contains(where: { $0.kind == .delete || $0.kind == .move && $0.number > number }),
            let (place, mover) = try origin(of: item)
        else { return }
        if try reader.removal(above: item.localID) == nil { try spare(place.parentID, failure, &effects) }
        if item.isRemoved {
            try revive(item, at: place, after: ended, &effects)
            return try forgetServerPlace(ofRemoved: item.localID)
        }
        try clear(place.parentID, from: item, failure, &effects)
        if try reader.item(place.parentID)?.isRemoved == false && !isInside(place.parentID, item) {
            if let mover {
                try bring(item.localID, to: place, by: mover, after: ended, &effects)
            } else {
                let isThere = failure.meaning != .missing
                try bring(item, backTo: place, isThere: isThere, after: ended, &effects)
            }
            try addJob(place.parentID, .scan)
        } else if mover == nil {
            // It is gone with its directory, or will be found again with it.
            try giveUp(item)
        } else if let stay = item.place {
            try addRecord(EventID(), of: item.localID, .move(from: place, to: stay))
        }
    }

    /// Brings a removed item back, if the directory that it belongs in exists, with what was removed together with it
    /// and with edits; what a directory really holds is listed next.
    func revive(_ item: Item, at place: Place, after ended: SyncRecord?, _ effects: inout SyncEffects) throws {
        let (place, mover) = try origin(of: item) ?? (place, nil)
        guard item.isRemoved, try reader.item(place.parentID)?.isRemoved == false else { return }
        let members = try item.isDirectory ? reader.removedMembers(of: item.localID) : []
        if let mover {
            try bring(item.localID, to: place, by: mover, after: ended, &effects)
        } else {
            try bring(item, backTo: place, isThere: item.cloudStatus != .localOnly, after: ended, &effects)
        }
        try resend(item)
        // What listings reported about it in the meantime was about a tombstone.
        try addJob(place.parentID, .scan)
        if item.isDirectory { try addJob(item.localID, .scan) }
        for member in members {
            guard let place = member.place else { continue }
            try revive(member, at: place, after: nil, &effects)
        }
    }

    /// Sends again what was withdrawn when an item was removed: its edit, or a new item itself.
    func resend(_ item: Item) throws {
        let records = try reader.records(of: item.localID)
        let copy = try reader.copy(of: item.localID)
        // If an earlier command is to create it, that command determines the place.
        let place = item.cloudStatus == .localOnly && records.isEmpty ? try reader.item(item.localID)?.place : nil
        if item.isDirectory {
            if let place { try addRecord(EventID(), of: item.localID, .createFolder(place)) }
        } else if let copy, item.cloudStatus != .localCopy, !records.contains(where: { $0.action.copy == copy }) {
            try addRecord(EventID(), of: item.localID, .upload(copy, to: place), total: item.size)
        }
    }

    /// Returns where the last of an item's commands takes it, and that command; if none does, where the server has it.
    private func origin(of item: Item) throws -> (place: Place, mover: SyncRecord?)? {
        if let mover = try reader.records(of: item.localID).last(where: { $0.action.target != nil }),
            let target = mover.action.target
        {
            return (target, mover)
        }
        return try reader.serverPlace(of: item.localID).map { ($0, nil) }
    }

    /// Moves an item to where a command takes it; if that name has been taken in the meantime, to a similar one, on the
    /// server too.
    private func bring(
        _ id: LocalID, to place: Place, by mover: SyncRecord, after ended: SyncRecord?, _ effects: inout SyncEffects
    ) throws {
        let known = try reader.serverPlace(of: id)
        let new = try freePlace(like: place, for: id)
        try move(id, to: new.name, in: new.parentID)
        if let known { try setServerPlace(of: id, known) }
        guard new != place else { return }
        var mover = mover
        if mover.isUntouched, let action = mover.action.placed(at: new) {
            mover.action = action
            try update(mover)
            effects.records.insert(mover.number)
        } else {
            try addMove(of: id, from: place, to: new, insteadOf: ended, &effects)
        }
    }

    /// Moves an item to where the server has it; if that name has been taken in the meantime, to a similar one, and on
    /// the server too if the item is there: a scan shows whether it is lost.
    private func bring(
        _ item: Item, backTo place: Place, isThere: Bool, after ended: SyncRecord?, _ effects: inout SyncEffects
    ) throws {
        let id = item.localID
        let occupant = try reader.item(named: place.name, in: place.parentID)?.localID
        let new = try freePlace(like: place, for: id)
        if new != place, let stay = item.place, let ended, ended.action == .move(from: place, to: stay),
            stay.name.isMarked(place.name, at: ended.queuedAt)
        {
            // Exactly this name was given locally for a move that was not possible, and is not possible either: so it
            // stays until the next start.
            return
        }
        try move(id, to: new.name, in: new.parentID)
        if new == place { return try setServerPlace(of: id, place) }
        guard isThere, try occupant.map({ try reader.serverPlace(of: $0) != place }) ?? true else {
            return try setServerPlace(of: id, nil)
        }
        try setServerPlace(of: id, place)
        try addMove(of: id, from: place, to: new, insteadOf: ended, &effects)
    }

    private func freePlace(like place: Place, for id: LocalID) throws -> Place {
        Place(try reader.freeName(like: place.name, in: place.parentID, at: now, for: id), in: place.parentID)
    }

    /// Has the server rename an item in the turn of the command that has ended: before those that have put something
    /// else under the old name.
    private func addMove(
        of id: LocalID, from old: Place, to new: Place, insteadOf ended: SyncRecord?, _ effects: inout SyncEffects
    ) throws {
        guard let ended, try reader.record(numbered: ended.number) == nil else {
            return try addRecord(EventID(), of: id, .move(from: old, to: new))
        }
        try addRecord(EventID(), of: id, .move(from: old, to: new), number: ended.number)
        if var record = try reader.record(numbered: ended.number) {
            // Late outcomes of the other command's attempts are not this one's.
            (record.attempts, record.forgivenAttempts) = (ended.attempts, ended.attempts)
            try update(record)
        }
        effects.records.insert(ended.number)
        effects.reused.insert(ended.number)
    }

    /// Moves out of an item again what was moved into it and is, or holds, the directory to which the item goes back.
    private func clear(
        _ directory: LocalID, from item: Item, _ failure: EventFailure, _ effects: inout SyncEffects
    ) throws {
        guard try isInside(directory, item) else { return }
        var holders: [Item] = []
        while let holder = try reader.item(holders.last?.parentID ?? directory), holder.localID != item.localID {
            holders.append(holder)
        }
        for holder in holders.reversed() where try reader.isElsewhere(holder.localID) {
            try putBack(holder, after: endMoves(of: holder, failure, &effects), failure, &effects)
        }
    }

    /// Cancels every removal that would remove a directory, at its current place or at earlier ones.
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
}
