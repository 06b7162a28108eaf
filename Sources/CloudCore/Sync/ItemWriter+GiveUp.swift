import FileProviding

/// Undoing a command's changes in the vault, when it is cancelled or cannot be done.
extension ItemWriter {
    /// Ends a record and makes the vault match the server. Contents that only the vault has are moved to its recovery
    /// folder.
    func giveUp(_ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        let changesAnything = try changesAnything(record, failure, effects)
        try removeRecord(record.number)
        if record.isDoubtful { for place in record.places { try addJob(place.parentID, .scan) } }
        // An issue may be about another command, which waits for its answer.
        if try !reader.records(of: record.itemID).contains(where: { $0.waits.contains(.answer) }) {
            // The same refusal again is the same issue.
            try settleIssues(of: record.itemID, except: changesAnything ? .commandRefused : nil)
        }
        if changesAnything {
            try raise(Issue.ID(.commandRefused, about: record.itemID), "\(record.words): \(failure.text)")
        }
        effects.end(record, .failure(failure.error))
        guard let item = try reader.item(record.itemID) else { return }
        switch record.action {
        case .createFolder, .copy:
            // A directory may have been merged with the server's by now.
            if item.cloudStatus == .localOnly { try abandon(item, failure, &effects) }
            if let source = record.action.source { try forgetServerPlace(ofRemoved: source) }
        case .upload(let copy, _):
            try recover(copy, of: item.localID, &effects)
            if try showEarlierEdit(of: item, than: record, copy) { break }
            if item.cloudStatus == .localOnly {
                try abandon(item, failure, &effects)
            } else if try reader.copy(of: item.localID) == copy {
                try giveUpUpdates(behind: record, failure, &effects)
                // Whether a version that nobody has seen may be removed is shown by the server's answer to the removal.
                if item.isRemoved { try showBase(of: item) } else { try revert(item) }
            }
        case .download:
            break
        case .move:
            try putBack(item, after: record, failure, &effects)
        case .update(let attributes, _, let before):
            try takeBack(attributes, before: before, of: item)
            if let parent = try reader.serverPlace(of: item.localID)?.parentID { try addJob(parent, .scan) }
        case .delete(let place):
            try revive(item, at: place, after: record, &effects)
        }
        try forgetServerPlace(ofRemoved: item.localID)
    }

    /// Returns whether the user has to be told that a command is given up: nobody else learns of it, and it has not
    /// become pointless.
    private func changesAnything(_ record: SyncRecord, _ failure: EventFailure, _ effects: SyncEffects) throws -> Bool {
        switch (record.kind, failure.meaning) {
        case (_, .cancelled): return false
        // What is gone or keeps changing will be looked up again.
        case (.download, .missing), (.download, .changed), (.update, .changed): return false
        // It is elsewhere: an attempt whose reply was lost has moved it.
        case (.move, .missing) where record.isDoubtful: return false
        case (.delete, _): return !effects.isAwaited(record.id)
        default: return try isWanted(record) && !effects.isAwaited(record.id)
        }
    }

    /// Removes a placeholder and everything below it; commands about those end with it, and what was moved there goes
    /// back. What was removed from there only stays removed if the server has it.
    private func abandon(_ item: Item, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        let arrivals =
            try item.isRemoved ? reader.removedArrivals(in: item) : reader.arrivals(below: item.localID)
        for record in item.isRemoved ? try reader.records(of: item.localID) : [] { try end(record, failure, &effects) }
        for arrival in arrivals {
            try putBack(arrival, after: endMoves(of: arrival, failure, &effects), failure, &effects)
        }
        for tombstone in try reader.tombstonesWithRecords(in: item) {
            let records = try reader.records(of: tombstone.localID).filter { $0.phase == .ready }
            for record in records where record.kind != .delete { try end(record, failure, &effects) }
        }
        for id in item.isRemoved ? [] : try remove(item.localID) {
            for record in try reader.records(of: id) { try end(record, failure, &effects) }
        }
    }

    /// Ends the commands that are to move an item, and returns the first of them.
    func endMoves(of item: Item, _ failure: EventFailure, _ effects: inout SyncEffects) throws -> SyncRecord? {
        let moves = try reader.records(of: item.localID).filter { $0.kind == .move }
        for record in moves { try end(record, failure, &effects) }
        return moves.first
    }

    private func end(_ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        try removeRecord(record.number)
        if let copy = record.action.copy { try recover(copy, of: record.itemID, &effects) }
        if let source = record.action.source { try forgetServerPlace(ofRemoved: source) }
        effects.end(record, .failure(failure.error))
    }

    /// Saves contents that have no place on the server in the recovery folder immediately, so that nothing after the
    /// commit can lose them.
    private func recover(_ copy: LocalCopy, of item: LocalID, _ effects: inout SyncEffects) throws {
        _ = try effects.vault.recover(copy)
        effects.released += try letGo([copy], of: item, .delete)
    }

    /// Ends the commands that were to set attributes of contents that are given up.
    private func giveUpUpdates(
        behind upload: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects
    ) throws {
        for record in try reader.updates(of: upload.itemID).reversed() where record.number > upload.number {
            try giveUp(record, failure, &effects)
        }
    }

    /// Shows the edit again that was sent before the one that is given up, and may still be on its way.
    ///
    /// - Returns: whether there is one.
    private func showEarlierEdit(of item: Item, than record: SyncRecord, _ copy: LocalCopy) throws -> Bool {
        guard try reader.copy(of: item.localID) == copy,
            let earlier = try reader.records(of: item.localID).last(where: {
                $0.number < record.number && $0.kind == .upload
            }),
            let shown = earlier.action.copy
        else { return false }
        try setModified(
            item.localID, shown, size: earlier.total ?? item.size ?? 0, modificationTime: earlier.queuedAt)
        return true
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
}

extension SyncRecord {
    /// A description of what was to be done, for display.
    fileprivate var words: String {
        switch kind {
        case .createFolder: "a folder could not be made"
        case .upload: "a file could not be sent"
        case .download: "a file could not be fetched"
        case .move: "a move was refused"
        case .copy: "a copy was refused"
        case .update: "attributes were refused"
        case .delete: "a removal was refused"
        }
    }
}
