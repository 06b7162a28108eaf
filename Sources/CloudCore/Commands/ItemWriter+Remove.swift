import FileProviding

/// Removing an item, and what becomes of the commands about it and what is in it.
extension ItemWriter {
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

    /// Takes back the commands about a tombstone that have not begun and that no other needs.
    ///
    /// - Parameter isBusyBelow: whether a command stays about something in the directory.
    /// - Returns: the copy that the item still has of an edit that was to be sent, and whether a command stays.
    private func withdraw(
        _ item: LocalID, isBusyBelow: Bool = false, _ submission: inout Submission
    ) throws -> (edit: LocalCopy?, isBusy: Bool) {
        try settleIssues(of: item)
        let records = try reader.records(of: item)
        if try records.isEmpty && !reader.isSource(item) { return (nil, false) }
        let need = try need(of: item, records, isBusyBelow: isBusyBelow)
        var edit: LocalCopy?
        var isBusy = false
        for record in records.reversed() {
            let fate = need.fate(of: record)
            if fate != .goesOn { submission.changed.insert(record.number) }
            if fate == .ends {
                edit = try takeBack(record, &submission) ?? edit
            } else {
                isBusy = true
                try keep(record, fate)
            }
        }
        // The server has it while something is to be done with it there.
        if try isBusy || reader.isSource(item) { try keepServerPlace(of: item) }
        return (edit, isBusy)
    }

    /// What others need of a tombstone.
    private struct Need {
        /// Whether something goes to the directory, or comes from it.
        var isPassedThrough: Bool
        /// The numbers of the records whose outcome is to be copied.
        var copied: Set<Int64>
        /// Whether the server has the item by the time that it would be moved.
        var isThere: Bool

        /// What becomes of a command about the tombstone.
        func fate(of record: SyncRecord) -> Fate {
            if record.hasBegun { return .goesOn }
            let isCopied = copied.contains(record.number)
            return switch record.kind {
            case .move: isThere ? .stays : .ends
            case .createFolder: isPassedThrough || isCopied ? .stays : .ends
            case .copy: isCopied ? .stays : isPassedThrough ? .staysAsPlainDirectory : .ends
            case .upload: isCopied ? .stays : .ends
            case .download, .update, .delete: .ends
            }
        }
    }

    private enum Fate {
        /// It has begun.
        case goesOn
        /// Others need it, without asking anybody.
        case stays
        /// Others need the directory, but not what was to be copied into it.
        case staysAsPlainDirectory
        case ends
    }

    private func need(of item: LocalID, _ records: [SyncRecord], isBusyBelow: Bool) throws -> Need {
        let isPassedThrough = try isBusyBelow || reader.isNeeded(item)
        let copied = try Set(records.map(\.number).filter { try reader.isToBeCopied(item, after: $0) })
        let isMade = isPassedThrough || !copied.isEmpty || records.contains(where: \.hasBegun)
        return try Need(
            isPassedThrough: isPassedThrough, copied: copied, isThere: isMade || reader.serverPlace(of: item) != nil)
    }

    /// Leaves a command about a tombstone to those that need it.
    private func keep(_ record: SyncRecord, _ fate: Fate) throws {
        if fate == .goesOn { return }
        var record = record
        record.waits.removeAll { $0 == .answer }
        guard fate == .staysAsPlainDirectory, case .copy(let source, let place) = record.action else {
            return try update(record)
        }
        (record.action, record.waits) = (.createFolder(place), [])
        try update(record)
        try forgetServerPlace(ofRemoved: source)
    }

    /// Ends a command about a tombstone as if it had not been given.
    ///
    /// - Returns: the copy of the edit that it was to send, while the item shows that.
    private func takeBack(_ record: SyncRecord, _ submission: inout Submission) throws -> LocalCopy? {
        try removeRecord(record.number)
        submission.withdrawn.append(record.id)
        switch record.action {
        case .upload(let copy, _):
            if try reader.copy(of: record.itemID) == copy { return copy }
            submission.released.append(copy)
        case .copy(let source, _):
            try forgetServerPlace(ofRemoved: source)
        case .update(let attributes, _, let before):
            if let item = try reader.item(record.itemID) { try takeBack(attributes, before: before, of: item) }
        case .createFolder, .download, .move, .delete: break
        }
        return nil
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
}

extension SyncRecord {
    /// Whether it is too late to take it back: an attempt is under way, or has had an unknown outcome that nobody is asked
    /// about.
    fileprivate var hasBegun: Bool { !isUntouched && !waits.contains(.answer) }
}
