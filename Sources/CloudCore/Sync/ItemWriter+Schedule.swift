import FileProviding

extension ItemWriter {
    /// Records that an attempt at a record begins, and determines the operation with the current places on the server.
    /// A record that can be completed without the server is completed.
    ///
    /// - Parameter id: the identifier of the record, if another may have the number by now.
    func schedule(
        _ number: Int64, _ effects: SyncEffects, id: EventID? = nil, cancelled: Set<EventID> = []
    ) throws -> SyncEffects {
        var effects = effects
        guard var record = try reader.record(numbered: number) else {
            effects.records.insert(number)
            return effects
        }
        guard id == nil || record.id == id else { return effects }
        let departures = try departures(before: record)
        if !departures.isEmpty {
            // It takes its turn after them; if that does not delay it, then a little later.
            record.waits = [.time(now.later(bySeconds: 1))]
            try update(record)
            // One of them that is under way keeps its turn.
            effects.records.formUnion(departures.filter { $0.phase != .running }.map(\.number) + [number])
            effects.reordered.formUnion(effects.records)
            return effects
        }
        // An attempt whose outcome could not be stored.
        let isRepeated = record.phase == .running
        record.phase = .running
        record.attempts += 1
        record.waits = []
        if isRepeated {
            record.isDoubtful = true
            try update(record)
        } else {
            try begin(record)
        }
        let operation: ConnectionOperation?
        do {
            operation = try self.operation(for: record, in: effects.vault)
        } catch  where error.isNoSuchFile {
            try fail(record, EventFailure(error), isCancelled: cancelled.contains(record.id), &effects)
            return effects
        }
        if let operation {
            effects.begun = (operation, record)
        } else {
            try removeRecord(number)
            try complete(record, Event.Result(), &effects)
        }
        return effects
    }

    /// Returns the earlier commands about another item that the server still has where a record is to put one: a
    /// listing has found it there in the meantime.
    private func departures(before record: SyncRecord) throws -> [SyncRecord] {
        guard let target = record.action.target, let occupant = try reader.departed(from: target),
            occupant.localID != record.itemID
        else { return [] }
        return try reader.records(of: occupant.localID).filter { $0.number < record.number }
    }

    /// - Returns: `nil` when the server already has what is wanted.
    private func operation(for record: SyncRecord, in vault: Vault) throws -> ConnectionOperation? {
        guard let item = try reader.item(record.itemID) else { throw FileError.noSuchFile("item \(record.itemID)") }
        switch record.action {
        case .createFolder(let place):
            // A directory that is to be removed next must not be somebody else's.
            return .createFolder(
                try reader.serverPath(of: place), createsParents: try isInLost(place, for: record),
                mustBeNew: item.isRemoved && !record.isDoubtful)
        case .upload(let copy, let place):
            return .upload(try upload(of: item, copy, to: place, for: record, in: vault))
        case .download:
            guard let place = try reader.serverPlace(of: item), !item.isRemoved else {
                throw FileError.noSuchFile(item.path)
            }
            return .download(
                try reader.serverPath(of: place), to: vault.arrival(of: record.id),
                journal: vault.journal(of: record.id))
        case .move(_, let target):
            return try move(of: item, to: target, for: record)
        case .copy(let source, let target):
            guard let original = try reader.item(source), let known = try knownItem(original) else {
                throw FileError.noSuchFile("item \(source)")
            }
            return .copy(
                known, to: try reader.serverPath(of: target), createsParents: try isInLost(target, for: record))
        case .update(let attributes, let base, _):
            guard var known = try knownItem(item) else { throw FileError.noSuchFile(item.path) }
            known.version = known.type == .regular ? base ?? known.version : nil
            return .update(known, attributes)
        case .delete:
            guard var known = try knownItem(item) else { return nil }
            // Everything that changes below a directory changes its tag: its contents tell more.
            if known.type == .directory {
                known.version = nil
                let isInsisted = record.forgivenAttempts > 0 && record.failure?.meaning == .changed
                known.contents = isInsisted ? nil : try reader.knownContents(ofRemoved: item.localID)
            }
            return .delete(known)
        }
    }

    private func upload(
        of item: Item, _ copy: LocalCopy, to place: Place?, for record: SyncRecord, in vault: Vault
    ) throws -> ConnectionOperation.Upload {
        let known = try reader.serverPlace(of: item)
        guard let target = known ?? place ?? item.place else { throw FileError.noSuchFile(item.path) }
        var precondition = ConnectionOperation.Precondition.absent
        if known != nil {
            precondition = .version(try reader.copyVersion(of: item.localID) ?? reader.serverContents(of: item))
        }
        return ConnectionOperation.Upload(
            file: vault.path(of: copy), path: try reader.serverPath(of: target), precondition: precondition,
            createsParents: try isInLost(target, for: record), modificationTime: item.modificationTime,
            journal: record.isContinuable ? vault.journal(of: record.id) : nil)
    }

    private func move(of item: Item, to target: Place, for record: SyncRecord) throws -> ConnectionOperation? {
        guard let known = try knownItem(item) else {
            // It is gone from the server, and will be sent again to its local place.
            if !item.isRemoved, item.cloudStatus == .localOnly { return nil }
            throw FileError.noSuchFile(item.path)
        }
        let path = try reader.serverPath(of: target)
        return known.path == path ? nil : .move(known, to: path, createsParents: try isInLost(target, for: record))
    }

    /// Returns whether the directory of a place is not on the server, as far as is known: the command that creates it
    /// again may come after others about its contents. This also holds if a user insists although it was not found.
    private func isInLost(_ place: Place, for record: SyncRecord) throws -> Bool {
        guard place.parentID != .root else { return false }
        let isInsisted = record.forgivenAttempts > 0 && record.failure?.meaning == .missing
        if isInsisted { return true }
        return try !reader.remembering(place.parentID, in: \.isOnServer) {
            try reader.serverPlace(of: place.parentID) != nil
        }
    }

    /// Returns the item as the server should have it; `nil` when it does not have it.
    private func knownItem(_ item: Item) throws -> ConnectionOperation.KnownItem? {
        guard let place = try reader.serverPlace(of: item) else { return nil }
        let base = item.cloudStatus == .locallyModified ? try reader.copyVersion(of: item.localID) : nil
        return ConnectionOperation.KnownItem(
            path: try reader.serverPath(of: place), type: item.type, fileID: item.fileID,
            parentID: try reader.item(place.parentID)?.fileID, version: try base ?? reader.serverContents(of: item))
    }
}
