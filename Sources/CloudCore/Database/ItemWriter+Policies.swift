import FileProviding
import Foundation
import GRDB

/// Policies, claims, and the use of copies.
extension ItemWriter {
    func add(_ policy: ItemPolicy) throws {
        try execute(
            "INSERT OR REPLACE INTO policies (id, kind, itemID, value) VALUES (?, ?, ?, ?)",
            [policy.id.uuidString, policy.kind.rawValue, policy.itemID.rawValue, policy.rule.value])
    }

    func removePolicies(_ kind: ItemPolicy.Kind, of item: LocalID) throws {
        try execute("DELETE FROM policies WHERE kind = ? AND itemID = ?", [kind.rawValue, item.rawValue])
    }

    /// Removes the policies of an item that was removed on purpose: what gets its name later is another one.
    func removePolicies(of item: LocalID) throws {
        try execute("DELETE FROM policies WHERE itemID = ?", [item.rawValue])
    }

    /// Transfers an item's policies to another, which may have some of its own.
    func handOnPolicies(of item: LocalID, to other: LocalID) throws {
        let missing = "kind NOT IN (SELECT kind FROM policies WHERE itemID = ?1)"
        try execute(
            "UPDATE policies SET itemID = ?1 WHERE itemID = ?2 AND \(missing)", [other.rawValue, item.rawValue])
    }

    /// Gives a new item the policies of the item with its name that has gone from there: where items have no
    /// identifiers, it may be the same one, which was away.
    func takeUpPolicies(_ id: LocalID, _ name: ItemName, _ type: FileObjectType, in directory: LocalID) throws {
        let (text, bytes) = ItemRow.columns(of: name)
        let former = try database.firstRow(
            of: """
                SELECT localID FROM items
                WHERE parentID = ? AND removedAt IS NOT NULL AND name = ? AND nameBytes = ? AND type = ?
                    AND fileID IS NULL AND localID IN (SELECT itemID FROM policies)
                ORDER BY removedAt DESC
                """, [directory.rawValue, text, bytes, type.rawValue]
        ) { LocalID(rawValue: $0.integer(0)) }
        if let former { try handOnPolicies(of: former, to: id) }
    }

    func add(_ claim: ItemClaim) throws {
        try execute(
            "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)",
            [claim.id.uuidString, claim.itemID.rawValue, try ItemRow.encoded(claim.claim), claim.lock.rawValue])
    }

    func removeClaim(_ id: UUID) throws { try execute("DELETE FROM claims WHERE id = ?", [id.uuidString]) }

    /// Records that the item's copy is being used now.
    func noteUse(of id: LocalID) throws {
        try execute("UPDATE items SET usedAt = ? WHERE localID = ?", [now.nanoseconds, id.rawValue])
    }
}

extension ItemReader {
    func policies() throws -> [ItemPolicy] {
        try Row.fetchAll(database, sql: "SELECT id, kind, itemID, value FROM policies ORDER BY rowid").compactMap {
            row in
            guard let id = UUID(uuidString: row[0]), let kind = ItemPolicy.Kind(rawValue: row[1]) else { return nil }
            return ItemPolicy(id: id, rule: ItemPolicy.Rule(kind, row[3]), itemID: LocalID(rawValue: row[2]))
        }
    }

    /// Returns whether an item's copy is only there, or only fetched, to be available offline, and no policy demands it
    /// any more.
    func isUnpinned(_ id: LocalID) throws -> Bool {
        guard let item = try item(id), item.downloadTrigger == .availableOffline else { return false }
        let pinned = Set(try policies().filter { $0.kind == .availableOffline }.map(\.itemID))
        var next: LocalID? = id
        while let id = next {
            if pinned.contains(id) { return false }
            next = try self.item(id)?.parentID
        }
        return true
    }

    /// Returns the rules for items that policies are about: of each kind that of the nearest policy at or above the
    /// item, else that of `rules`.
    func policyRules(of items: [Item], otherwise rules: CopyRules) throws -> [LocalID: CopyRules] {
        let policies = try policies().filter { $0.kind != .availableOffline }
        guard !policies.isEmpty else { return [:] }
        let own = Dictionary(grouping: policies, by: \.itemID).mapValues { $0.map(\.rule) }
        var known: [LocalID: CopyRules] = [:]
        func resolved(_ id: LocalID, in parent: LocalID?) throws -> CopyRules {
            if let rules = known[id] { return rules }
            let above = try parent.map { try resolved($0, in: item($0)?.parentID) } ?? rules
            let resolved = above.replaced(by: own[id] ?? [])
            known[id] = resolved
            return resolved
        }
        return try items.reduce(into: [:]) { found, item in
            found[item.localID] = try resolved(item.localID, in: item.parentID)
        }
    }

    /// Returns whether a policy is about an item itself.
    func hasPolicy(_ id: LocalID) throws -> Bool {
        try database.firstRow(of: "SELECT 1 FROM policies WHERE itemID = ?", [id.rawValue]) { _ in true } ?? false
    }

    /// Returns all claims, or those on one item, whether or not they hold now.
    func claims(on item: LocalID? = nil) throws -> [ItemClaim] {
        let condition = item == nil ? "" : "WHERE itemID = ?"
        return try Row.fetchAll(
            database.cachedStatement(sql: "SELECT id, itemID, claim, lock FROM claims \(condition) ORDER BY rowid"),
            arguments: item.map { [$0.rawValue] } ?? []
        ).compactMap { row in
            guard let id = UUID(uuidString: row[0]), let lock = Claim.Lock(rawValue: row[3]) else { return nil }
            return ItemClaim(
                id: id, itemID: LocalID(rawValue: row[1]), claim: try ItemRow.value(row[2]), lock: lock)
        }
    }

    /// Returns the files that a policy applies to.
    func files(under kind: ItemPolicy.Kind) throws -> [Item] {
        try items(
            """
            type = 'regular' AND removedAt IS NULL AND localID IN (
                WITH RECURSIVE below(id) AS (
                    SELECT itemID FROM policies WHERE kind = ? UNION
                    SELECT localID FROM items JOIN below ON parentID = id WHERE removedAt IS NULL
                ) SELECT id FROM below
            )
            """, [kind.rawValue])
    }

    /// Returns the unfinished downloads that were requested for this reason alone.
    func downloads(for trigger: DownloadTrigger) throws -> [SyncRecord] {
        let condition = "localID IN (SELECT itemID FROM syncRecords WHERE kind = 'download') AND downloadTrigger = ?"
        return try items(condition, [trigger.rawValue]).flatMap { try records(of: $0.localID) }
            .filter { $0.kind == .download }
    }

    /// Returns the files with a copy that is as the server had it, with the version that it was made from, and when it
    /// was last used.
    func unchangedCopies() throws -> [(item: Item, version: FileVersion?, usedAt: FileTime?)] {
        let condition = "copyID IS NOT NULL AND NOT isModified AND isOnServer AND removedAt IS NULL"
        var copies: [LocalID: (version: FileVersion?, usedAt: FileTime?)] = [:]
        try database.forEachRow(
            of: "SELECT localID, copyETag, copySize, copyModified, usedAt FROM items WHERE \(condition)"
        ) { row in
            let usedAt = row.integerOrNil(4).map(FileTime.init(nanoseconds:))
            copies[LocalID(rawValue: row.integer(0))] = (row.fileVersion(1), usedAt)
        }
        return try items(condition, []).map { ($0, copies[$0.localID]?.version, copies[$0.localID]?.usedAt) }
    }

    /// Returns when an item's copy was last used; `nil` if that is not known.
    func useOfCopy(of id: LocalID) throws -> FileTime? {
        try database.firstRow(of: "SELECT usedAt FROM items WHERE localID = ?", [id.rawValue]) {
            $0.integerOrNil(0).map(FileTime.init(nanoseconds:))
        }
    }

    /// Returns the items that exist.
    func presentItems() throws -> Set<LocalID> {
        Set(
            try Int64.fetchAll(database, sql: "SELECT localID FROM items WHERE removedAt IS NULL")
                .map(LocalID.init(rawValue:)))
    }

    /// Returns the names of the copies' folders.
    func copyIDs() throws -> Set<String> {
        let copies = "SELECT copyID FROM items WHERE copyID IS NOT NULL UNION SELECT copyID FROM heldCopies"
        var ids = Set(try String.fetchAll(database, sql: copies))
        for record in try records(after: 0) {
            if let copy = record.action.copy { ids.insert(copy.id) }
            if record.kind == .download { ids.insert(record.id.rawValue) }
        }
        return ids
    }
}

extension ItemPolicy.Rule {
    /// The value in the database; see `Migrations`.
    fileprivate var value: Double? {
        switch self {
        case .availableOffline: nil
        case .expiration(let duration): duration.map { $0 / .seconds(1) }
        case .versionUpdates(let follows): follows ? 1 : 0
        }
    }

    fileprivate init(_ kind: ItemPolicy.Kind, _ value: Double?) {
        self =
            switch kind {
            case .availableOffline: .availableOffline
            case .expiration: .expiration(value.map { .seconds($0) })
            case .versionUpdates: .versionUpdates(value != 0)
            }
    }
}
