import FileProviding

/// What the failure of an operation means for its record.
extension ItemWriter {
    /// How often an item that is not where it should be is looked for.
    private static var searches: Int { 3 }
    /// How often the server's trouble with a record is waited out.
    static var patience: Int { 10 }

    /// Takes over that an attempt at a record has failed.
    ///
    /// - Parameter isCancelled: whether somebody has asked for the command's end.
    func fail(
        _ record: SyncRecord, _ failure: EventFailure, isCancelled: Bool, _ effects: inout SyncEffects
    ) throws {
        var record = record
        // In maintenance or away again although the server is not: it is about this alone.
        let isOwn =
            failure.meaning.mayBeAboutOneCommand && record.failure?.meaning.mayBeAboutOneCommand ?? false
            && record.tries > 2 && effects.isOnline
        record.phase = .ready
        record.failure = failure
        record.refusals = failure.meaning.isAnswer || isOwn ? record.refusals + 1 : 0
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
            record.waits = [pause(after: min(record.tries, 3))]
        case .troubled, .locked:
            guard record.refusals < Self.patience else { return try giveUpOrAsk(record, failure, &effects) }
            record.isDoubtful = record.isDoubtful || failure.meaning != .locked
            record.waits = [pause(after: record.refusals)]
        case .missing:
            if record.refusals > Self.searches {
                // Where a loss is asked about, its answer says what becomes of contents too that only the vault has.
                let isAsked = try reader.lossIssue() != nil && takesContents(endOf: record)
                guard isAsked else { return try giveUpOrAsk(record, failure, &effects) }
                record.waits = [pause(after: Self.searches)]
            }
            effects.outdated = try directories(of: record)
        case .occupied where record.isDoubtful && record.refusals <= Self.searches:
            // The server may still be at work on the attempt of which nobody heard.
            record.waits = [pause(after: record.refusals - 1)]
        case .occupied, .blocked, .changed:
            return try conflict(record, failure, &effects)
        case .refused:
            return try giveUpOrAsk(record, failure, &effects)
        }
        try update(record)
    }

    /// Until when a request may be on its way to the server although its program has ended or its connection broke.
    var endOfAfterlife: FileTime { now.later(bySeconds: 2) }

    /// Waits longer the more often it was tried.
    func pause(after tries: Int) -> WaitCondition { .time(now.later(bySeconds: 1 << min(tries, 8))) }

    /// The directories in which a record's items were expected.
    private func directories(of record: SyncRecord) throws -> Set<LocalID> {
        var directories = Set(record.places.map(\.parentID))
        for id in [record.itemID, record.action.source].compactMap({ $0 }) {
            if let place = try reader.serverPlace(of: id) { directories.insert(place.parentID) }
        }
        return directories
    }

    /// Ends a record that cannot be done; one whose end would take contents away that only the vault has waits for a
    /// person's answer.
    private func giveUpOrAsk(
        _ record: SyncRecord, _ failure: EventFailure, _ effects: inout SyncEffects
    ) throws {
        guard try takesContents(endOf: record) else { return try giveUp(record, failure, &effects) }
        try ask(.commandFailed, record, failure.text)
    }

    /// Whether the end of a record would take contents away that only the vault has.
    private func takesContents(endOf record: SyncRecord) throws -> Bool {
        switch record.kind {
        case .upload: try isWanted(record)
        case .createFolder: try reader.unsentItems(below: record.itemID).contains { !$0.isDirectory }
        default: false
        }
    }

    /// Lets a record wait for the answer to an issue about its item.
    func ask(_ kind: Issue.Kind, _ record: SyncRecord, _ detail: String) throws {
        var record = record
        (record.phase, record.waits) = (.ready, [.answer])
        // What the server has was looked at: it is not what an earlier attempt sent.
        if kind != .commandFailed { record.isDoubtful = false }
        try update(record)
        try raise(Issue.ID(kind, about: record.itemID), detail)
    }
}

extension EventFailure.Meaning {
    /// Whether the server has answered about the record itself.
    fileprivate var isAnswer: Bool {
        switch self {
        case .troubled, .locked, .missing, .occupied, .blocked, .changed, .refused: true
        case .unreachable, .interrupted, .maintenance, .unanswered, .unauthenticated, .untrusted, .redirected: false
        case .cancelled, .hindered: false
        }
    }

    /// What has to be better before it goes on.
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

extension FileTime {
    func later(bySeconds seconds: Int64) -> FileTime {
        FileTime(seconds: self.seconds + seconds, nanoseconds: subsecond)
    }
}
