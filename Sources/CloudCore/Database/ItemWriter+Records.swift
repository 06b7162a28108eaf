import FileProviding
import Foundation
import GRDB

/// Unfinished commands, and the events that answer them.
extension ItemWriter {
    // MARK: Records

    /// Adds a command after all others, or with a number that is no longer in use.
    ///
    /// - Parameter earlier: the former state of the command that this one continues under the same identifier: the
    ///   numbers of its attempts are used up.
    func addRecord(
        _ id: EventID, of item: LocalID, _ action: SyncAction, total: Int64? = nil, number: Int64? = nil,
        continuing earlier: SyncRecord? = nil
    ) throws {
        hasNewRecords = true
        try execute(
            """
            INSERT INTO syncRecords
                (\(ActionRow.columns), id, itemID, phase, waits, attempts, forgivenAttempts, isDoubtful, total, queuedAt,
                number)
            VALUES (\(ActionRow.placeholders), ?, ?, ?, '[]', ?, ?, 0, ?, ?, ?)
            """,
            ActionRow.arguments(action) + [
                id.rawValue, item.rawValue, SyncRecord.Phase.ready.rawValue, earlier?.attempts ?? 0,
                earlier?.attempts ?? 0, total, now.nanoseconds, number,
            ])
    }

    /// Stores the state of a record.
    func update(_ record: SyncRecord) throws {
        try execute(
            """
            UPDATE syncRecords SET \(ActionRow.assignments), itemID = ?, phase = ?, waits = ?, attempts = ?,
            forgivenAttempts = ?, refusals = ?, isDoubtful = ?, failure = ?, completed = ?, total = ? WHERE number = ?
            """,
            try ActionRow.arguments(record.action) + [
                record.itemID.rawValue, record.phase.rawValue, ItemRow.encoded(record.waits), record.attempts,
                record.forgivenAttempts, record.refusals, record.isDoubtful, record.failure.map(ItemRow.encoded),
                record.completed, record.total, record.number,
            ])
    }

    /// Records that an attempt at a record begins.
    func begin(_ record: SyncRecord) throws {
        try execute(Self.beginning, [record.phase.rawValue, record.attempts, record.number])
    }

    private static let beginning = FrequentStatement(
        "UPDATE syncRecords SET phase = ?, waits = '[]', attempts = ? WHERE number = ?")

    /// Removes a command that is finished or given up.
    func removeRecord(_ number: Int64) throws {
        if let record = try reader.record(numbered: number), record.kind == .download { try endDownload(record.itemID) }
        try execute("DELETE FROM syncRecords WHERE number = ?", [number])
    }

    /// Records that an item's contents are no longer being fetched.
    func endDownload(_ id: LocalID) throws {
        // Also for a removed item, which may come back.
        guard let item = try reader.item(id), item.isDownloading else { return }
        try setDownloading(id, false, for: item.cloudStatus == .cloudOnly ? nil : item.downloadTrigger)
    }

    /// Removes a command whose attempt has succeeded; returns whether exactly that attempt was awaited.
    func removeRecord(_ number: Int64, awaiting attempt: Int) throws -> Bool {
        try execute(Self.removal, [number, SyncRecord.Phase.running.rawValue, attempt])
        return database.changesCount > 0
    }

    private static let removal = FrequentStatement(
        "DELETE FROM syncRecords WHERE number = ? AND phase = ? AND attempts = ?")

    /// Makes ready again what was in progress when a program ended: the next attempt finds out whether it was done.
    /// Waits for the network or for a better time are lifted, except where a server may still be working on an attempt.
    func resetInterruptedRecords() throws {
        let unready = try reader.records("phase = ? OR waits <> '[]'", [SyncRecord.Phase.running.rawValue])
        for var record in unready where record.waits != [.answer] {
            let soon = endOfAfterlife
            var time = record.waits.compactMap(\.time).max()
            let meant = time
            let isUnhindered = record.waits.allSatisfy { $0.time != nil }
            record.waits.removeAll { $0 != .answer }
            if record.phase == .running { (record.phase, record.isDoubtful, time) = (.ready, true, soon) }
            // A server may have checked whether it may accept contents, and accept them later than those that are sent
            // now.
            if record.isRiskyToRepeat || record.kind == .upload && record.isDoubtful && isUnhindered, let time {
                record.waits.append(.time(min(time, soon)))
            }
            // Trying earlier than was meant uses up no patience, but a program that is started every minute would try
            // for ever.
            if record.tries < 3 * Self.patience, let meant, meant > now,
                record.waits.compactMap(\.time).max() ?? now < meant
            {
                record.refusals = max(0, record.refusals - 1)
            }
            try update(record)
        }
        if !isListing { try forgetSettledPlaces() }
        try addMissingRecords()
    }

    /// Adds a command for every local change that has none, whatever happened to the one that it had.
    private func addMissingRecords() throws {
        for item in try reader.itemsWithoutRecord() {
            guard let place = item.place else { continue }
            let known = try reader.serverPlace(of: item.localID)
            if let copy = try reader.copy(of: item.localID), item.cloudStatus != .localCopy, !item.isRemoved {
                try addRecord(
                    EventID(), of: item.localID, .upload(copy, to: known == nil ? place : nil), total: item.size)
            } else if item.isDirectory, item.cloudStatus == .localOnly, !item.isRemoved {
                try addRecord(EventID(), of: item.localID, .createFolder(place))
            } else if item.isRemoved {
                try forgetServerPlace(ofRemoved: item.localID)
            }
            if let known, !item.isRemoved, known != place {
                try addRecord(EventID(), of: item.localID, .move(from: known, to: place))
            }
        }
    }

    // MARK: Events

    /// Stores an event until it has been acted on.
    func queue(_ event: Event) throws {
        try execute("INSERT INTO events (event) VALUES (?)", [try ItemRow.encoded(event)])
    }

    /// Removes an event from the queue, to be acted on in this transaction.
    func forgetEvent(_ number: Int64) throws { try execute("DELETE FROM events WHERE number = ?", [number]) }
}

extension ItemReader {
    /// Returns a command by its identifier, or `nil` when it is finished.
    func record(_ id: EventID) throws -> SyncRecord? { try records("id = ?", [id.rawValue]).first }

    /// Returns whether exactly this attempt at a command is awaited.
    func awaits(_ attempt: Int, at number: Int64) throws -> Bool {
        try database.firstRow(
            of: "SELECT 1 FROM syncRecords WHERE number = ? AND phase = ? AND attempts = ?",
            [number, SyncRecord.Phase.running.rawValue, attempt]
        ) { _ in true } ?? false
    }

    /// Returns a command by its number.
    func record(numbered number: Int64) throws -> SyncRecord? {
        try firstRow(of: Self.recordByNumber, [number], Self.record)
    }

    private static let recordByNumber = FrequentStatement("\(recordSelection) number = ?")

    /// Returns the commands about an item, in order.
    func records(of item: LocalID) throws -> [SyncRecord] {
        try records("itemID = ? ORDER BY number", [item.rawValue])
    }

    /// Returns the commands that copy an item, in order.
    func copies(of item: LocalID) throws -> [SyncRecord] {
        try records("sourceID = ? ORDER BY number", [item.rawValue])
    }

    /// Returns the commands that set attributes of an item, in order.
    ///
    /// The kind is part of the statement: as an argument it would decide about an index of some kinds only, and SQLite
    /// would prepare the statement again each time.
    func updates(of item: LocalID) throws -> [SyncRecord] {
        var records: [SyncRecord] = []
        try forEachRow(of: Self.updatesOfItem, [item.rawValue]) { records.append(try Self.record($0)) }
        return records
    }

    private static let updatesOfItem = FrequentStatement(
        "\(recordSelection) itemID = ? AND kind = 'update' ORDER BY number")

    /// Returns whether a command after a number is to copy an item.
    func isSource(_ item: LocalID, after number: Int64 = 0) throws -> Bool {
        try hasRecord("sourceID = ? AND number > ?", [item.rawValue, number])
    }

    /// Returns whether a command after a number is to copy an item, or a directory that it is in, locally, on the
    /// server or on its way.
    func isToBeCopied(_ item: LocalID, after number: Int64) throws -> Bool {
        guard try hasRecord("sourceID IS NOT NULL AND number > ?", [number]) else { return false }
        var found: Set<LocalID> = [item]
        var next = found
        while let id = next.popFirst() {
            if try isSource(id, after: number) { return true }
            let parents = try parents(of: id).subtracting(found)
            found.formUnion(parents)
            next.formUnion(parents)
        }
        return false
    }

    /// Returns whether a command is to create or move anything other than an uploaded file into a directory, or to move
    /// something out of it, so that the directory has to exist first.
    func isNeeded(_ directory: LocalID) throws -> Bool {
        try hasRecord("kind <> 'upload' AND newParentID = ?", [directory.rawValue])
            || hasRecord("kind = 'move' AND oldParentID = ?", [directory.rawValue])
    }

    private func hasRecord(_ condition: String, _ arguments: SQLArguments) throws -> Bool {
        try database.firstRow(of: "SELECT 1 FROM syncRecords WHERE \(condition)", arguments) { _ in true }
            ?? false
    }

    /// Returns the commands after a number, in order.
    func records(after number: Int64) throws -> [SyncRecord] { try records("number > ? ORDER BY number", [number]) }

    /// Returns whether commands have last failed since the server could not be reached. The first ones tell: they fail
    /// together.
    func hasMissedServer() throws -> Bool {
        try records("failure IS NOT NULL ORDER BY number LIMIT 16", []).contains { record in
            [.offline, .maintenance].contains(record.failure?.meaning.status)
        }
    }

    /// Returns the commands that may have succeeded, or are about to.
    func recordsInDoubt() throws -> [SyncRecord] { try records(Self.recordsInDoubt, []) }

    static let recordsInDoubt = "(phase = '\(SyncRecord.Phase.running.rawValue)' OR isDoubtful)"

    /// Returns the items that have local changes without a command about them, directories before what they may hold.
    func itemsWithoutRecord() throws -> [Item] {
        try items(
            """
            ((isModified OR NOT isOnServer) AND removedAt IS NULL OR localID IN (SELECT itemID FROM serverPlaces))
            AND localID NOT IN (SELECT itemID FROM syncRecords) ORDER BY type, localID
            """, [])
    }

    /// Returns the oldest event in the queue after a number, and its own number there.
    func nextEvent(after number: Int64) throws -> (number: Int64, event: Event)? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT number, event FROM events WHERE number > ? ORDER BY number LIMIT 1"),
            arguments: [number])
        guard let row, let event: Event = try ItemRow.decoded(row[1]) else { return nil }
        return (row[0], event)
    }

    /// Returns the states of the first commands after a number, in order.
    func standings(after number: Int64, atMost count: Int) throws -> [SyncRecord.Standing] {
        try records("number > ? ORDER BY number LIMIT ?", [number, count]).map { ($0, try touch(of: $0)) }
    }

    /// Returns the states of commands; `nil` for those that are finished.
    func standings(of numbers: Set<Int64>) throws -> [Int64: SyncRecord.Standing?] {
        try numbers.reduce(into: [:]) { found, number in
            let record = try record(numbered: number)
            found[number] = .some(try record.map { ($0, try touch(of: $0)) })
        }
    }

    /// Returns what a record changes and uses: its item, every place where the server has it or may come to have it,
    /// and the directories above, locally, on the server and where commands take them in between.
    private func touch(of record: SyncRecord) throws -> Lanes.Touch {
        var touch = Lanes.Touch(changed: [.item(record.itemID)], used: [])
        let places = try places(of: record)
        touch.changed.formUnion(places.map(Lanes.Key.place))
        var next = Set(places.map(\.parentID))
        if let source = record.action.source {
            next.formUnion(try parents(of: source))
            // Nothing goes into a directory, or leaves it, while it is copied.
            if try item(source)?.isDirectory ?? false { touch.changed.insert(.item(source)) }
            touch.used.insert(.item(source))
        }
        while let id = next.popFirst() {
            guard id != .root, touch.used.insert(.item(id)).inserted else { continue }
            next.formUnion(try remembering(id, in: \.parents) { try parents(of: id) })
        }
        return touch
    }

    /// Returns the places that a record names, and where its item is on the server when its turn comes: as now, or
    /// where another command has taken it, or, for what is to be sent again, as it is locally.
    private func places(of record: SyncRecord) throws -> Set<Place> {
        var places = Set(record.places)
        if record.action.makesItem { return places }
        if let place = try serverPlace(of: record.itemID) ?? item(record.itemID)?.place { places.insert(place) }
        for other in try records(of: record.itemID) { places.formUnion(other.places) }
        return places
    }

    fileprivate func records(_ condition: String, _ arguments: SQLArguments) throws -> [SyncRecord] {
        var records: [SyncRecord] = []
        try database.forEachRow(of: "\(Self.recordSelection) \(condition)", arguments) { row in
            records.append(try Self.record(row))
        }
        return records
    }

    private static let recordSelection = """
        SELECT number, id, itemID, phase, waits, attempts, forgivenAttempts, isDoubtful, failure, completed, total,
            queuedAt, refusals, \(ActionRow.columns)
        FROM syncRecords WHERE
        """

    private static func record(_ row: StatementRow) throws -> SyncRecord {
        // Mostly there is nothing; an empty list is decoded as slowly as a full one.
        let waits = row.withText(4) { $0?.elementsEqual("[]".utf8) ?? true } ? nil : row.text(4)
        return SyncRecord(
            id: EventID(rawValue: row.text(1) ?? ""), number: row.integer(0),
            itemID: LocalID(rawValue: row.integer(2)), action: try ActionRow.action(row, from: 13),
            phase: row.text(3).flatMap(SyncRecord.Phase.init) ?? .ready,
            waits: try ItemRow.decoded(waits) ?? [], attempts: Int(row.integer(5)),
            forgivenAttempts: Int(row.integer(6)), refusals: Int(row.integer(12)), isDoubtful: row.flag(7),
            failure: try ItemRow.decoded(row.text(8)), completed: row.integer(9), total: row.integerOrNil(10),
            queuedAt: FileTime(nanoseconds: row.integer(11)))
    }
}
