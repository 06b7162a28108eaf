import FileProviding

/// The consequences of an operation's failure for its record.
extension ItemWriter {
    /// How often an item that is not at its expected place is looked for.
    private static var searches: Int { 3 }
    /// How often a record is tried again when the server fails or is busy.
    static var patience: Int { 10 }
    /// The same for contents and folders that have been removed here meanwhile.
    private static var patienceWithUnwanted: Int { 2 }

    /// Records that an attempt at a record has failed.
    ///
    /// - Parameter isCancelled: whether somebody has requested the command's end.
    func fail(
        _ record: SyncRecord, _ failure: EventFailure, isCancelled: Bool, _ effects: inout SyncEffects
    ) throws {
        var record = record
        // However often it breaks off, a transfer that gets further each time ends.
        let hasAdvanced = try record.isContinuable && record.completed > reader.record(record.id)?.completed ?? 0
        // In maintenance or unavailable again although the server is not: it is about this record alone.
        let isOwn =
            failure.meaning.mayBeAboutOneCommand && record.failure?.meaning.mayBeAboutOneCommand ?? false
            && record.tries > 2 && effects.isOnline && !hasAdvanced
        record.phase = .ready
        record.failure = failure
        record.refusals = (failure.meaning.isAnswer && !hasAdvanced) || isOwn ? record.refusals + 1 : 0
        effects.records.insert(record.number)
        switch isOwn ? .troubled : failure.meaning {
        case _ where isCancelled:
            return try giveUp(record, EventFailure(CancellationError()), &effects)
        case .unreachable, .interrupted, .maintenance, .unanswered, .unauthenticated, .untrusted, .redirected:
            effects.failure = failure
            let mayBeDone = [.interrupted, .maintenance, .unanswered].contains(failure.meaning)
            record.isDoubtful = record.isDoubtful || mayBeDone
            let respite = record.isRiskyToRepeat ? [WaitCondition.time(endOfAfterlife)] : []
            record.waits = [failure.meaning.wait] + (record.tries > 1 ? [pause(after: record.tries)] : respite)
        case .cancelled:
            record.isDoubtful = true
            record.waits = record.isRiskyToRepeat ? [.time(endOfAfterlife)] : []
        case .hindered:
            effects.failure = failure
            record.isDoubtful = true
            record.waits = [pause(after: min(record.tries, 6))]
        case .troubled, .locked:
            let isOfUse = try ![.upload, .createFolder].contains(record.kind) || isWanted(record)
            let patience = isOfUse ? Self.patience : Self.patienceWithUnwanted
            guard record.refusals < patience else { return try giveUpOrAsk(record, failure, &effects) }
            record.isDoubtful = record.isDoubtful || failure.meaning != .locked
            record.waits = [pause(after: record.refusals)]
        case .missing:
            if try record.kind == .delete && record.refusals > 1 && isGoneWithDirectory(record.itemID) {
                // Wherever the directory is now, the item is removed along with it, or a scan finds both again.
                try removeRecord(record.number)
                return try complete(record, Event.Result(), &effects)
            }
            if record.refusals > Self.searches {
                // While the user is asked about a loss, the answer also decides about contents that only the vault has,
                // and about items that were to be removed.
                let isAsked = try reader.lossIssue() != nil && (record.kind == .delete || takesContents(endOf: record))
                guard isAsked else { return try giveUpOrAsk(record, failure, &effects) }
                record.waits = [pause(after: record.refusals)]
            } else {
                effects.outdated = try directories(of: record)
                effects.isSearchedForEverywhere = record.refusals > 1
                // What an earlier attempt may have sent would be there. The next listing tells what is to become of it.
                if record.kind == .upload, record.refusals > 1 { record.isDoubtful = false }
            }
        case .occupied where mayBeAtWork(on: record):
            record.waits = [pause(after: record.refusals - 1)]
        case .occupied, .blocked, .changed:
            return try conflict(record, failure, &effects)
        case .refused:
            return try giveUpOrAsk(record, failure, &effects)
        }
        try update(record)
    }

    /// Returns whether the server may still be working on an attempt whose outcome is unknown. Not for ever, although a
    /// program that starts often tries again too early for a refusal to count.
    private func mayBeAtWork(on record: SyncRecord) -> Bool {
        record.isDoubtful && record.refusals <= (record.tries > 2 * Self.searches ? 1 : Self.searches)
    }

    /// The time until which a request may still reach the server although its program has ended or its connection
    /// broke.
    var endOfAfterlife: FileTime { now.later(bySeconds: 2) }

    /// Returns a pause that grows with the number of attempts.
    func pause(after tries: Int) -> WaitCondition { .time(now.later(bySeconds: 1 << min(tries, 8))) }

    /// Returns the directories in which a record's items were expected; for directories removed here, the nearest one
    /// above that is not. From the second refusal on, also all directories above them, topmost first, since another
    /// directory may have taken one of their names.
    private func directories(of record: SyncRecord) throws -> [LocalID] {
        var directories = Set(record.places.map(\.parentID))
        for id in [record.itemID, record.action.source].compactMap({ $0 }) {
            if let place = try reader.serverPlace(of: id) { directories.insert(place.parentID) }
        }
        directories = try Set(directories.map(visible(above:)))
        guard record.refusals > 1 else { return Array(directories) }
        for directory in directories {
            var next = directory
            while let above = try reader.serverPlace(of: next)?.parentID, directories.insert(above).inserted {
                next = above
            }
        }
        let depths = try directories.map { ($0, try reader.serverPath(ofDirectory: $0).components.count) }
        return depths.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// Ends a record that cannot be done; a record whose end would discard contents that only the vault has waits for
    /// the user's answer.
    private func giveUpOrAsk(
        _ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects
    ) throws {
        guard try takesContents(endOf: record) else { return try giveUp(record, failure, &effects) }
        try ask(.commandFailed, record, failure.text)
    }

    /// Returns whether the end of a record would discard contents that only the vault has.
    private func takesContents(endOf record: SyncRecord) throws -> Bool {
        switch record.kind {
        case .upload: try isWanted(record)
        case .createFolder: try reader.unsentItems(below: record.itemID).contains { !$0.isDirectory }
        default: false
        }
    }

    /// Makes a record wait for the answer to an issue about its item.
    func ask(_ kind: Issue.Kind, _ record: SyncRecord, _ detail: String) throws {
        var record = record
        (record.phase, record.waits) = (.ready, [.answer])
        // The server's item was examined: it is not what an earlier attempt sent.
        if kind != .commandFailed { record.isDoubtful = false }
        try update(record)
        try raise(Issue.ID(kind, about: record.itemID), detail)
    }
}

extension EventFailure.Meaning {
    /// Whether the server has answered about the item itself.
    var isAnswer: Bool {
        switch self {
        case .troubled, .locked, .missing, .occupied, .blocked, .changed, .refused: true
        case .unreachable, .interrupted, .maintenance, .unanswered, .unauthenticated, .untrusted, .redirected: false
        case .cancelled, .hindered: false
        }
    }

    /// The condition that has to be met before it continues.
    fileprivate var wait: WaitCondition {
        switch status {
        case .maintenance: .maintenance
        case .unauthenticated: .authentication
        case .untrusted: .trust
        case .redirected: .address
        case .offline, .online, .unknown, nil: .network
        }
    }
}
