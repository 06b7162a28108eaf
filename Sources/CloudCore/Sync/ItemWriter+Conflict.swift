import FileProviding

/// Records that meet something unexpected on the server.
extension ItemWriter {
    /// Asks the user, or tries again if nothing can be lost.
    func conflict(_ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects) throws {
        let parents = [try reader.item(record.itemID)?.parentID, record.places.last?.parentID]
        for parent in parents.compactMap({ $0 }) { try addJob(parent, .scan) }
        if try record.kind != .delete && !isWanted(record) { return try giveUp(record, failure, &effects) }
        switch (record.kind, failure.meaning) {
        case (.update, _):
            // Attributes for other contents: whoever wrote those has the last word.
            try giveUp(record, failure, &effects)
        case (.download, _):
            // Somebody is still writing. If it never stops, the next scan requests the download again.
            guard record.refusals < Self.patience else { return try giveUp(record, failure, &effects) }
            var record = record
            (record.phase, record.waits) = (.ready, [pause(after: record.refusals - 1)])
            try update(record)
        case (.copy, _) where record.forgivenAttempts == 0 && !record.isDoubtful:
            // A second item next to the first is what a copy is for; and nothing in what is copied changes while it
            // waits. If another name does not help, the name is not the reason: a file may be where the directory was,
            // or this is the copy.
            try keepBoth(record, &effects)
        case (.upload, .blocked), (.createFolder, _), (.move, _), (.copy, _):
            try ask(.nameTaken, record, failure.text)
        case (.upload, _):
            try ask(.conflict, record, failure.text)
            // What is to be compared with the edit is shown beside it.
            effects.outdated = try Array(Set(parents.compactMap { $0 }.map(visible(above:))))
        case (.delete, _) where try isRemovedWithDirectory(record.itemID):
            try removeRecord(record.number)
            effects.end(record, .failure(EventFailure(CancellationError()).error))
            try forgetServerPlace(ofRemoved: record.itemID)
        case (.delete, _):
            try ask(.changedBeforeDeletion, record, failure.text)
        }
    }

    /// Returns whether the effect of a record on its item is not about to be undone: it shows in the item, or in a copy
    /// of it.
    func isWanted(_ record: SyncRecord) throws -> Bool {
        if try reader.item(record.itemID)?.isRemoved == false { return true }
        return try reader.isToBeCopied(record.itemID, after: record.number)
    }

    /// Returns whether an item goes with its directory, whose removal on the server is pending or done.
    func isGoneWithDirectory(_ id: LocalID) throws -> Bool {
        guard let place = try reader.serverPlace(of: id) else { return false }
        let isGone = try reader.item(place.parentID)?.isRemoved == true && reader.serverPlace(of: place.parentID) == nil
        return try isGone || reader.removal(above: place.parentID) != nil
    }

    /// Returns whether an item is removed along with a directory that is still to be removed on the server.
    func isRemovedWithDirectory(_ id: LocalID) throws -> Bool {
        guard let place = try reader.serverPlace(of: id) else { return false }
        return try reader.removal(above: place.parentID) != nil
    }

    /// Removes the issues about an item, except one of a kind that is raised again.
    func settleIssues(of item: LocalID, except raised: Issue.Kind? = nil) throws {
        for kind in Issue.Kind.aboutCommands + [.commandRefused] where kind != raised {
            try settle(Issue.ID(kind, about: item))
        }
    }

    /// Continues although the server has something else, which is now `version`; `nil` when there is nothing any more.
    func replace(_ record: SyncRecord, _ version: ServerVersion?, _ effects: inout SyncEffects) throws {
        if let version {
            let item = try reader.item(record.itemID)
            if record.kind == .upload, let item, version.type != item.type {
                // Contents do not replace a directory, however often that is requested.
                return try ask(
                    .nameTaken, record, "there is a \(version.type == .directory ? "folder" : "link") by now")
            }
            if let item, isAbout(version, record, item) {
                let hasEdit = record.kind == .upload || item.cloudStatus == .locallyModified
                let known = try reader.serverPlace(of: item.localID)
                try setOnServer(item, version, keepingEdit: hasEdit)
                if hasEdit {
                    try setBase(of: item.localID, version.contents)
                    try makeLater(item, than: version)
                }
                // Where it is by now may be elsewhere, or nowhere, if it is only to be copied.
                if item.isRemoved || item.cloudStatus == .localOnly,
                    let place = known ?? record.places.last ?? (item.isRemoved ? nil : item.place)
                {
                    try setServerPlace(of: item, place)
                }
            }
        } else if record.kind == .upload {
            try detach(record.itemID)
        }
        try resume(record, &effects)
    }

    /// Gives an edit that is to replace a later version the present time: with its own, other clients would take it for
    /// the return of an earlier version.
    private func makeLater(_ item: Item, than version: ServerVersion) throws {
        guard let mine = item.modificationTime, let theirs = version.modificationTime, mine < theirs else { return }
        try setModificationTime(of: item.localID, max(now, theirs))
    }

    /// Returns whether an answer about what the server has there applies to it: what was to be removed is that item and
    /// no other.
    private func isAbout(_ version: ServerVersion, _ record: SyncRecord, _ item: Item) -> Bool {
        record.kind != .delete || item.isSameItem(as: version)
    }

    /// Lets a record continue.
    func resume(_ record: SyncRecord, _ effects: inout SyncEffects) throws {
        var record = record
        (record.phase, record.waits) = (.ready, [])
        (record.forgivenAttempts, record.refusals, record.isDoubtful) = (record.attempts, 0, false)
        try update(record)
        effects.records.insert(record.number)
    }
}
