import FileProviding
import Foundation
import GRDB

/// Commands that are not finished, and the events that answer them.
extension ItemWriter {
    // MARK: Records

    /// Adds a command behind all others, or with a number that none has any more.
    ///
    /// - Parameter earlier: how the command stood that this one is under the same identifier: its attempts have used up their
    ///   numbers.
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

    /// Writes down how a record stands.
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

    /// Writes down that an attempt at a record begins.
    func begin(_ record: SyncRecord) throws {
        try execute(Self.beginning, [record.phase.rawValue, record.attempts, record.number])
    }

    private static let beginning = FrequentStatement(
        "UPDATE syncRecords SET phase = ?, waits = '[]', attempts = ? WHERE number = ?")

    /// Forgets a command: it is finished, or given up.
    func removeRecord(_ number: Int64) throws {
        if let record = try reader.record(numbered: number), record.kind == .download { try endDownload(record.itemID) }
        try execute("DELETE FROM syncRecords WHERE number = ?", [number])
    }

    /// Notes that nothing fetches an item's contents any more.
    func endDownload(_ id: LocalID) throws {
        // Of one that is removed as well: it may come back.
        guard let item = try reader.item(id), item.isDownloading else { return }
        try setDownloading(id, false, for: item.cloudStatus == .cloudOnly ? nil : item.downloadTrigger)
    }

    /// Forgets a command whose attempt has succeeded; whether just that attempt was awaited.
    func removeRecord(_ number: Int64, awaiting attempt: Int) throws -> Bool {
        try execute(Self.removal, [number, SyncRecord.Phase.running.rawValue, attempt])
        return database.changesCount > 0
    }

    private static let removal = FrequentStatement(
        "DELETE FROM syncRecords WHERE number = ? AND phase = ? AND attempts = ?")

    /// Makes what was under way when a program ended ready again: whether it was done, the next attempt finds out. What
    /// waits for the network or for a better moment need not any more, but for what a server may still be at.
    func healRecords() throws {
        let unready = try reader.records("phase = ? OR waits <> '[]'", [SyncRecord.Phase.running.rawValue])
        for var record in unready where record.waits != [.answer] {
            let soon = endOfAfterlife
            var time = record.waits.compactMap(\.time).max()
            let isUnhindered = record.waits.allSatisfy { $0.time != nil }
            record.waits.removeAll { $0 != .answer }
            if record.phase == .running { (record.phase, record.isDoubtful, time) = (.ready, true, soon) }
            // A server may have looked whether it may take contents, and take them later than those that are sent now.
            if record.isRiskyToRepeat || record.kind == .upload && record.isDoubtful && isUnhindered, let time {
                record.waits.append(.time(min(time, soon)))
            }
            try update(record)
        }
        if !isListing { try execute("DELETE FROM settledPlaces", []) }
        try addMissingRecords()
    }

    /// Whatever differs from the server by what was done here has a command that brings it there: none is forgotten, whatever
    /// became of the one that did it.
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

    /// Remembers an event until it has been acted on.
    func queue(_ event: Event) throws {
        try execute("INSERT INTO events (event) VALUES (?)", [try ItemRow.encoded(event)])
    }

    /// Takes an event out of the queue, to be acted on in this transaction.
    func forgetEvent(_ number: Int64) throws { try execute("DELETE FROM events WHERE number = ?", [number]) }
}

extension ItemReader {
    /// A command by its identifier, or `nil` when it is finished.
    func record(_ id: EventID) throws -> SyncRecord? { try records("id = ?", [id.rawValue]).first }

    /// Whether just this attempt at a command is awaited.
    func awaits(_ attempt: Int, at number: Int64) throws -> Bool {
        try database.firstRow(
            of: "SELECT 1 FROM syncRecords WHERE number = ? AND phase = ? AND attempts = ?",
            [number, SyncRecord.Phase.running.rawValue, attempt]
        ) { _ in true } ?? false
    }

    /// A command by its number.
    func record(numbered number: Int64) throws -> SyncRecord? {
        try firstRow(of: Self.recordByNumber, [number], Self.record)
    }

    private static let recordByNumber = FrequentStatement("\(recordSelection) number = ?")

    /// The commands about an item, in order.
    func records(of item: LocalID) throws -> [SyncRecord] {
        try records("itemID = ? ORDER BY number", [item.rawValue])
    }

    /// The commands that copy an item, in order.
    func copies(of item: LocalID) throws -> [SyncRecord] {
        try records("sourceID = ? ORDER BY number", [item.rawValue])
    }

    /// The commands that give an item other attributes, in order.
    ///
    /// The kind stands in the statement: as an argument it would decide about an index of some kinds only, and SQLite would
    /// prepare the statement anew each time.
    func updates(of item: LocalID) throws -> [SyncRecord] {
        try records("itemID = ? AND kind = 'update' ORDER BY number", [item.rawValue])
    }

    /// Whether a command behind a number is to copy an item.
    func isSource(_ item: LocalID, after number: Int64 = 0) throws -> Bool {
        try hasRecord("sourceID = ? AND number > ?", [item.rawValue, number])
    }

    /// Whether a command behind a number is to copy an item, or a directory that it is in, here, on the server or on its way.
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

    /// Whether a command is to make or move something else than a file that is sent into a directory, or to move something
    /// out of it, which has to be there before.
    func isNeeded(_ directory: LocalID) throws -> Bool {
        try hasRecord("kind <> 'upload' AND newParentID = ?", [directory.rawValue])
            || hasRecord("kind = 'move' AND oldParentID = ?", [directory.rawValue])
    }

    private func hasRecord(_ condition: String, _ arguments: SQLArguments) throws -> Bool {
        try database.firstRow(of: "SELECT 1 FROM syncRecords WHERE \(condition)", arguments) { _ in true }
            ?? false
    }

    /// The commands behind a number, in order.
    func records(after number: Int64) throws -> [SyncRecord] { try records("number > ? ORDER BY number", [number]) }

    /// The commands that may have succeeded, or are about to.
    func recordsInDoubt() throws -> [SyncRecord] {
        try records("phase = ? OR isDoubtful", [SyncRecord.Phase.running.rawValue])
    }

    /// The items that differ from the server by what was done here and that no command is about, directories before what they
    /// may hold.
    func itemsWithoutRecord() throws -> [Item] {
        try items(
            """
            ((isModified OR NOT isOnServer) AND removedAt IS NULL OR localID IN (SELECT itemID FROM serverPlaces))
            AND localID NOT IN (SELECT itemID FROM syncRecords) ORDER BY type, localID
            """, [])
    }

    /// The oldest event in the queue behind a number, and its own there.
    func nextEvent(after number: Int64) throws -> (number: Int64, event: Event)? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT number, event FROM events WHERE number > ? ORDER BY number LIMIT 1"),
            arguments: [number])
        guard let row, let event: Event = try ItemRow.decoded(row[1]) else { return nil }
        return (row[0], event)
    }

    /// How the first commands behind a number stand, in order.
    func standings(after number: Int64, atMost count: Int) throws -> [SyncRecord.Standing] {
        try records("number > ? ORDER BY number LIMIT ?", [number, count]).map { ($0, try touch(of: $0)) }
    }

    /// How commands stand; `nil` for those that are finished.
    func standings(of numbers: Set<Int64>) throws -> [Int64: SyncRecord.Standing?] {
        try numbers.reduce(into: [:]) { found, number in
            let record = try record(numbered: number)
            found[number] = .some(try record.map { ($0, try touch(of: $0)) })
        }
    }

    /// What a record changes and uses: its item, every place where the server has or may come to have that, and the
    /// directories above, here, on the server and where commands take them in between.
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

    /// The places that a record names, and where its item is on the server when it comes to it: as now, or where another
    /// command has taken it, or for what is to be sent again, as here.
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
        // Mostly nothing; an empty list is decoded as slowly as a full one.
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
