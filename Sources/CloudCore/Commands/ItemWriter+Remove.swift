import FileProviding

/// Removing an item, with the consequences for commands about the item and its contents.
extension ItemWriter {
    /// Removes an item with everything below it. Commands whose sending never began are withdrawn; edits are kept until
    /// the server has removed the item, and restored with it should it refuse.
    ///
    /// Moves stay, and the removal comes after them: it is then done or not as a whole, and does not affect items that
    /// have taken the place of a moved one.
    func delete(_ item: LocalID, id: EventID) throws -> Submission {
        let removed = try known(item)
        guard let place = removed.place else { throw refused(removed, "the root cannot be removed") }
        try keepServerPlace(of: item)
        var submission = Submission(id: id, item: item)
        // A directory's contents first.
        let below = try remove(item).filter { $0 != item }.reversed()
        var isBusyBelow = false
        var edits: [(item: LocalID, copy: LocalCopy)] = []
        for inner in below {
            let (edit, isBusy) = try withdraw(inner, &submission)
            if let edit { edits.append((inner, edit)) }
            isBusyBelow = isBusyBelow || isBusy
        }
        if removed.isDirectory { try withdrawRemovals(in: removed, &submission) }
        let (edit, isBusy) = try withdraw(item, isBusyBelow: isBusyBelow, &submission)
        if let edit { edits.append((item, edit)) }
        if try isBusy || isBusyBelow || reader.serverPlace(of: item) != nil {
            try addRecord(id, of: item, .delete(from: place))
        } else {
            submission.isDone = true
            for edit in edits { try release(edit.copy, of: edit.item, &submission) }
        }
        return submission
    }

    /// Withdraws the commands about a tombstone that have not begun and that no other needs.
    ///
    /// - Parameter isBusyBelow: whether a command about something in the directory remains.
    /// - Returns: the item's copy of an edit that was to be sent, and whether a command remains.
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
        // The server has it as long as something is to be done with it there.
        if try isBusy || reader.isSource(item) { try keepServerPlace(of: item) }
        return (edit, isBusy)
    }

    /// What other commands need of a tombstone.
    private struct Need {
        /// Whether something is moved into the directory, or out of it.
        var isPassedThrough: Bool
        /// The numbers of the records whose result is to be copied.
        var copied: Set<Int64>
        /// Whether the server has the item by the time that it would be moved.
        var isThere: Bool

        /// Returns what happens to a command about the tombstone.
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
        /// It has begun, and continues.
        case goesOn
        /// Other commands need it; it continues without waiting for an answer.
        case stays
        /// Other commands need the directory, but not what was to be copied into it.
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

    /// Updates a command about a tombstone that remains because others need it.
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

    /// Withdraws a command about a tombstone as if it had not been given.
    ///
    /// - Returns: the copy of the edit that it was to send, if the item still shows that edit.
    private func takeBack(_ record: SyncRecord, _ submission: inout Submission) throws -> LocalCopy? {
        try removeRecord(record.number)
        submission.withdrawn.append(record.id)
        switch record.action {
        case .upload(let copy, _):
            if try reader.copy(of: record.itemID) == copy { return copy }
            submission.released += try letGo([copy], of: record.itemID, .write)
        case .copy(let source, _):
            try forgetServerPlace(ofRemoved: source)
        case .update(let attributes, _, let before):
            if let item = try reader.item(record.itemID) { try takeBack(attributes, before: before, of: item) }
        case .createFolder, .download, .move, .delete: break
        }
        return nil
    }

    /// Withdraws the removals in a directory that wait for an answer: their items are removed with the directory.
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

    private func release(_ copy: LocalCopy, of id: LocalID, _ submission: inout Submission) throws {
        if let item = try reader.item(id), item.cloudStatus == .locallyModified {
            try showBase(of: item)
        } else {
            try setCopy(of: id, nil, version: nil)
        }
        submission.released += try letGo([copy], of: id, .delete)
    }
}

extension SyncRecord {
    /// Whether it is too late to withdraw it: an attempt is in progress, or has had an unknown outcome that nobody is
    /// asked about.
    fileprivate var hasBegun: Bool { !isUntouched && !waits.contains(.answer) }
}
