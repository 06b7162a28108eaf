import FileProviding

/// What a command changes in the vault at once, together with the record that brings it to the server.
extension ItemWriter {
    /// What has become of a command.
    struct Submission: Sendable {
        /// The identifier under which it goes on: that of an earlier command that does it too, where there is one.
        var id: EventID
        /// The item that it is about.
        var item: LocalID
        /// Whether there is nothing for the server to do.
        var isDone = false
        /// Commands that it makes pointless, which have never begun.
        var withdrawn: [EventID] = []
        /// Copies that nobody needs any more.
        var released: [LocalCopy] = []
        /// The numbers of earlier records that are gone by it, or wait for nothing any more.
        var changed: Set<Int64> = []
    }

    /// Makes a directory.
    func createFolder(_ name: ItemName, in parent: LocalID, id: EventID) throws -> Submission {
        try requireFree(name, in: parent)
        let item = try insert(name, in: parent, ServerVersion(type: .directory), childrenCount: 0, isOnServer: false)
        try setListed(item)
        try addRecord(id, of: item, .createFolder(Place(name, in: parent)))
        return Submission(id: id, item: item)
    }

    /// Makes a file of new contents.
    func upload(_ contents: NewContents, as name: ItemName, in parent: LocalID, id: EventID) throws -> Submission {
        try requireFree(name, in: parent)
        let item = try insert(name, in: parent, ServerVersion(type: .regular), isOnServer: false)
        try setModified(item, contents.copy, size: contents.size, modificationTime: contents.modificationTime)
        try addRecord(id, of: item, .upload(contents.copy, to: Place(name, in: parent)), total: contents.size)
        return Submission(id: id, item: item)
    }

    /// Gives a file other contents. Together with an upload that has not begun it is one upload.
    func modify(_ item: LocalID, _ contents: NewContents, id: EventID) throws -> Submission {
        let file = try known(item)
        guard file.type == .regular else { throw FileError.isADirectory(file.path, writing: true) }
        let old = try reader.copy(of: item)
        try setModified(item, contents.copy, size: contents.size, modificationTime: contents.modificationTime)
        let records = try reader.records(of: item)
        if let last = records.last, last.isUntouched, case .upload(let copy, let place) = last.action,
            try !reader.isToBeCopied(item, after: last.number)
        {
            var record = last
            record.action = .upload(contents.copy, to: place)
            record.total = contents.size
            record.waits.removeAll { $0 != .answer }
            try update(record)
            return Submission(id: record.id, item: item, released: [copy], changed: [record.number])
        }
        // Where the file is to be made by an earlier command, that says where.
        try addRecord(id, of: item, .upload(contents.copy, to: nil), total: contents.size)
        let isInUse = records.contains { $0.action.copy != nil && $0.action.copy == old }
        return Submission(id: id, item: item, released: old.map { isInUse ? [] : [$0] } ?? [])
    }

    /// Fetches a file's contents; those of a file with unsent changes are here.
    func download(_ item: LocalID, id: EventID) throws -> Submission {
        let file = try known(item)
        guard file.type == .regular else { throw FileError.isADirectory(file.path) }
        let pending = try reader.records(of: item).last { $0.kind == .download }
        if let pending { return Submission(id: pending.id, item: item) }
        let copied = try reader.copyVersion(of: item)
        let isCurrent = file.cloudStatus == .localCopy && copied?.isSameVersion(as: file.version) ?? false
        if isCurrent || file.cloudStatus == .locallyModified || file.cloudStatus == .localOnly {
            return Submission(id: id, item: item, isDone: true)
        }
        try addRecord(id, of: item, .download, total: file.size)
        return Submission(id: id, item: item)
    }

    /// Gives an item another place. A file that has not begun to be sent is sent there in the first place.
    func move(_ item: LocalID, to parent: LocalID, as name: ItemName, id: EventID) throws -> Submission {
        let moved = try known(item)
        guard let old = moved.place else { throw refused(moved, "the root has no place") }
        let new = Place(name, in: parent)
        if old == new { return Submission(id: id, item: item, isDone: true) }
        try requireFree(name, in: parent)
        guard try !isInside(parent, moved) else { throw FileError.intoItself(moved.path) }
        let upload = try onlyUpload(of: item)
        try keepServerPlace(of: item)
        try move(item, to: name, in: parent)
        if let upload {
            // Behind what makes the new directory, if that is not there yet. A conflict about the old name is over.
            try settleIssues(of: item)
            try removeRecord(upload.record.number)
            try addRecord(upload.record.id, of: item, .upload(upload.copy, to: new), total: upload.record.total)
            return Submission(id: upload.record.id, item: item, changed: [upload.record.number])
        }
        try addRecord(id, of: item, .move(from: old, to: new))
        return Submission(id: id, item: item)
    }

    /// The command that makes a file, if it has not begun and no other is about the file.
    private func onlyUpload(of item: LocalID) throws -> (record: SyncRecord, copy: LocalCopy)? {
        let records = try reader.records(of: item)
        guard records.count == 1, let record = records.first, record.isUntouched,
            [[], [.answer]].contains(record.waits), case .upload(let copy, .some) = record.action,
            try !reader.isToBeCopied(item, after: record.number)
        else { return nil }
        return (record, copy)
    }

    /// Copies an item; what is below a directory shows when the server has it.
    func copy(_ source: LocalID, to parent: LocalID, as name: ItemName, id: EventID) throws -> Submission {
        let original = try known(source)
        guard original.parentID != nil else { throw refused(original, "the root cannot be copied") }
        try requireFree(name, in: parent)
        guard try !isInside(parent, original) else { throw FileError.intoItself(original.path) }
        var version = original.version
        (version.fileID, version.etag) = (nil, nil)
        let item = try insert(name, in: parent, version, isOnServer: false)
        try addRecord(id, of: item, .copy(source, to: Place(name, in: parent)))
        return Submission(id: id, item: item)
    }

    /// Removes an item with everything below it. What never began to be sent of it, is not; an edit of the item itself comes
    /// back with it, should the server refuse to remove it.
    ///
    /// Moves stay, and the removal comes behind them: then it is done or not as a whole, and about nothing that has come to
    /// where something was before.
    func delete(_ item: LocalID, id: EventID) throws -> Submission {
        let removed = try known(item)
        guard let place = removed.place else { throw refused(removed, "the root cannot be removed") }
        try keepServerPlace(of: item)
        var submission = Submission(id: id, item: item)
        // What is in a directory before that.
        let below = try remove(item).filter { $0 != item }.reversed()
        var isBusyBelow = false
        for inner in below {
            let (edit, isBusy) = try withdraw(inner, &submission)
            if let edit { try release(edit, of: inner, &submission) }
            isBusyBelow = isBusyBelow || isBusy
        }
        if removed.isDirectory { try withdrawRemovals(in: removed, &submission) }
        let (edit, isBusy) = try withdraw(item, isBusyBelow: isBusyBelow, &submission)
        if try isBusy || isBusyBelow || reader.serverPlace(of: item) != nil {
            try addRecord(id, of: item, .delete(from: place))
        } else {
            submission.isDone = true
            if let edit { try release(edit, of: item, &submission) }
        }
        return submission
    }

    /// Takes back the commands about a tombstone that have not begun, but for those that others need: moves of what the server
    /// has by then, what is copied, and the directory that something goes to or comes from.
    ///
    /// - Parameter isBusyBelow: whether a command stays about something in the directory.
    /// - Returns: the copy that the item still has of an edit that was to be sent, and whether a command stays.
    private func withdraw(
        _ item: LocalID, isBusyBelow: Bool = false, _ submission: inout Submission
    ) throws -> (edit: LocalCopy?, isBusy: Bool) {
        try settleIssues(of: item)
        let records = try reader.records(of: item)
        if try records.isEmpty && !reader.isSource(item) { return (nil, false) }
        func hasBegun(_ record: SyncRecord) -> Bool { !record.isUntouched && !record.waits.contains(.answer) }
        let isNeeded = try isBusyBelow || reader.isNeeded(item)
        let copied = try Set(records.map(\.number).filter { try reader.isToBeCopied(item, after: $0) })
        let isThere =
            try isNeeded || !copied.isEmpty || records.contains(where: hasBegun) || reader.serverPlace(of: item) != nil
        var edit: LocalCopy?
        var stay = records.count
        for var record in records.reversed() where !hasBegun(record) {
            submission.changed.insert(record.number)
            let stays =
                switch record.kind {
                case .move: isThere
                case .createFolder: isNeeded || copied.contains(record.number)
                case .upload, .copy: copied.contains(record.number)
                case .download, .update, .delete: false
                }
            if stays {
                record.waits.removeAll { $0 == .answer }
                try update(record)
                continue
            }
            if isNeeded, case .copy(let source, let place) = record.action {
                // Nothing is copied only to be removed, but others go through it.
                (record.action, record.waits) = (.createFolder(place), [])
                try update(record)
                try forgetServerPlace(ofRemoved: source)
                continue
            }
            stay -= 1
            try removeRecord(record.number)
            submission.withdrawn.append(record.id)
            switch record.action {
            case .upload(let copy, _) where try reader.copy(of: item) == copy: edit = copy
            case .upload(let copy, _): submission.released.append(copy)
            case .copy(let source, _): try forgetServerPlace(ofRemoved: source)
            case .update(let attributes, _, let before):
                if let item = try reader.item(item) { try takeBack(attributes, before: before, of: item) }
            case .createFolder, .download, .move, .delete: break
            }
        }
        // The server has it while something is to be done with it there.
        if try stay > 0 || reader.isSource(item) { try keepServerPlace(of: item) }
        return (edit, stay > 0)
    }

    /// Takes back the removals in a directory that wait for an answer: what they are about goes with that.
    private func withdrawRemovals(in directory: Item, _ submission: inout Submission) throws {
        for issue in try reader.issues() where issue.id.kind == .changedBeforeDeletion {
            guard let id = issue.id.item, let parent = try reader.item(id)?.parentID, try isInside(parent, directory)
            else { continue }
            try settle(issue.id)
            for record in try reader.records(of: id) where record.kind == .delete && record.waits.contains(.answer) {
                try removeRecord(record.number)
                submission.withdrawn.append(record.id)
                submission.changed.insert(record.number)
            }
            try forgetServerPlace(ofRemoved: id)
        }
    }

    private func release(_ copy: LocalCopy, of item: LocalID, _ submission: inout Submission) throws {
        if let item = try reader.item(item), item.cloudStatus == .locallyModified {
            try showBase(of: item)
        } else {
            try setCopy(of: item, nil, version: nil)
        }
        submission.released.append(copy)
    }

    // MARK: Conditions

    private func known(_ id: LocalID) throws -> Item {
        guard let item = try reader.item(id), !item.isRemoved else {
            throw FileError.noSuchFile("item \(id)", writing: true)
        }
        return item
    }

    private func requireFree(_ name: ItemName, in parent: LocalID) throws {
        let directory = try known(parent)
        guard directory.isDirectory else { throw FileError.notADirectory(directory.path) }
        if let occupant = try reader.item(named: name, in: parent) { throw FileError.exists(occupant.path) }
    }

    private func refused(_ item: Item, _ reason: String) -> any Error {
        cocoaError(item.path, code: .fileWriteNoPermission, reason: reason)
    }
}
