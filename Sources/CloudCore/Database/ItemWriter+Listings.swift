import FileProviding
import GRDB

/// What a scan has to do and has done: listings, persisted jobs for the directories to be listed, and missing items.
extension ItemWriter {
    // MARK: Listings

    /// Notes that all of a directory's entries are known now.
    package func setListed(_ directory: LocalID) throws {
        try execute(
            """
            INSERT INTO listings VALUES (?, ?)
            ON CONFLICT DO UPDATE SET listedAt = excluded.listedAt
            """, [directory.rawValue, now.nanoseconds])
        recountLater(directory)
    }

    /// Lets whatever tag the directory has next time be another one.
    func forgetTag(of directory: LocalID) throws {
        try execute("UPDATE items SET etag = NULL WHERE localID = ?", [directory.rawValue])
    }

    /// Notes that a directory's entries are not all known any more.
    func forgetListing(of directory: LocalID) throws {
        try execute("DELETE FROM listings WHERE directoryID = ?", [directory.rawValue])
    }

    // MARK: Jobs

    /// Remembers that a directory is to be listed, by a listing that begins after this; a job that it has already keeps the
    /// higher priority.
    package func addJob(_ directory: LocalID, _ priority: UpdatePriority) throws {
        try execute(
            """
            INSERT INTO updateJobs (directoryID, priority) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET priority = max(priority, excluded.priority), requests = requests + 1
            """, [directory.rawValue, priority.rawValue])
    }

    /// Adds jobs for directories that have been listed longest ago, or never; at most `limit`, beside those that are more
    /// urgent already. A listing of the future, from before a clock was set back, counts as none.
    package func addJobsForOldestListings(limit: Int) throws {
        try execute(
            """
            INSERT OR IGNORE INTO updateJobs (directoryID, priority)
            SELECT localID, ?1 FROM items LEFT JOIN listings ON directoryID = localID
            WHERE type = 'directory' AND removedAt IS NULL AND isOnServer
            AND localID NOT IN (SELECT directoryID FROM updateJobs WHERE priority > ?1)
            ORDER BY CASE WHEN listedAt <= ?3 THEN listedAt END, localID LIMIT ?2
            """, [UpdatePriority.check.rawValue, limit, now.nanoseconds])
    }

    /// Adds jobs for directories that have been listed longer ago than this, at most `limit`, beside those that are more
    /// urgent already; a listing of the future, from before a clock was set back, counts as old.
    package func addJobsForListings(olderThan interval: Duration, limit: Int) throws {
        let oldest = FileTime(seconds: now.seconds - interval.components.seconds).nanoseconds
        try execute(
            """
            INSERT OR IGNORE INTO updateJobs (directoryID, priority)
            SELECT localID, ?1 FROM listings JOIN items ON localID = directoryID
            WHERE (listedAt < ?2 OR listedAt > ?3) AND removedAt IS NULL AND isOnServer
            AND localID NOT IN (SELECT directoryID FROM updateJobs WHERE priority > ?1) ORDER BY listedAt LIMIT ?4
            """, [UpdatePriority.check.rawValue, oldest, now.nanoseconds, limit])
    }

    /// Lets a scan that begins do the jobs that were left to it.
    func takeUpLeftJobs() throws {
        try execute(
            "UPDATE updateJobs SET priority = ? WHERE priority = ?",
            [UpdatePriority.scan.rawValue, UpdatePriority.nextScan.rawValue])
    }

    /// Removes a directory's job, unless it has been asked for again since there were that many requests.
    func finishJob(_ directory: LocalID, requests: Int64?) throws {
        try execute("DELETE FROM updateJobs WHERE directoryID = ? AND requests = ?", [directory.rawValue, requests])
    }

    /// Leaves a directory's job to the next scan.
    func leaveToNextScan(_ directory: LocalID, requests: Int64?) throws {
        try finishJob(directory, requests: requests)
        try addJob(directory, .nextScan)
    }

    // MARK: Missing items

    /// Notes that what a directory holds is known: it was made here.
    func markSeenInside(_ directory: LocalID) throws {
        try execute("UPDATE items SET isSeenInside = 1 WHERE localID = ?", [directory.rawValue])
    }

    /// Notes whether the server has shown something that is older than it was.
    func setServerWentBack(_ wentBack: Bool) throws {
        try execute("UPDATE counters SET value = ? WHERE name = 'wentBack' AND value <> ?", [wentBack, wentBack])
    }

    /// Notes that an item was not where it had been: it may have moved to a directory that is yet to be listed.
    package func markMissing(_ id: LocalID) throws {
        try execute("UPDATE items SET isMissing = 1 WHERE localID = ?", [id.rawValue])
    }

    /// Forgets that an item was missing: the server has just done something with it.
    func clearMissing(_ id: LocalID) throws {
        try execute("UPDATE items SET isMissing = 0 WHERE localID = ? AND isMissing", [id.rawValue])
    }

    /// Forgets which of a directory's entries on the server were missing: they are about to be looked for again.
    package func clearMissing(in directory: LocalID) throws {
        try execute(
            """
            UPDATE items SET isMissing = 0 WHERE isMissing AND coalesce(
                (SELECT parentID FROM serverPlaces WHERE itemID = localID), parentID) = ?
            """, [directory.rawValue])
    }

    /// Makes a placeholder of an item that the server no longer has and that has unsent changes.
    package func detach(_ id: LocalID) throws {
        try setServerPlace(of: id, nil)
        try execute(
            """
            UPDATE items SET isOnServer = 0, fileID = NULL, etag = NULL, newerVersion = NULL, isMissing = 0, revision = ?
            WHERE localID = ?
            """, [nextRevision(), id.rawValue])
    }
}

extension ItemReader {
    /// The directories to be listed next, most urgent first, without those in `excluding`.
    package func jobs(limit: Int, excluding: Set<LocalID> = []) throws -> [LocalID] {
        let statement = try database.cachedStatement(
            sql: "SELECT directoryID FROM updateJobs WHERE priority > ? ORDER BY priority DESC, directoryID LIMIT ?")
        let ids = try Int64.fetchAll(
            statement, arguments: [UpdatePriority.nextScan.rawValue, limit + excluding.count])
        return Array(ids.lazy.map(LocalID.init(rawValue:)).filter { !excluding.contains($0) }.prefix(limit))
    }

    /// How often it has been asked for that a directory be listed; `nil` where it has no job.
    func requests(ofJob directory: LocalID) throws -> Int64? {
        try database.firstRow(of: "SELECT requests FROM updateJobs WHERE directoryID = ?", [directory.rawValue]) {
            $0.integer(0)
        }
    }

    /// Whether all of a directory's entries are known.
    package func isListed(_ directory: LocalID) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM listings WHERE directoryID = ?"),
            arguments: [directory.rawValue]) != nil
    }

    /// Whether an item was not where it had been.
    func isMissing(_ id: LocalID) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM items WHERE localID = ? AND isMissing"),
            arguments: [id.rawValue]) != nil
    }

    /// The items that were not where they had been.
    package func missingItems() throws -> [Item] { try items("isMissing AND removedAt IS NULL", []) }

    /// How often directories have moved, which changes the paths of items whose rows stay as they are.
    package func directoryMoves() throws -> Int64 { try counter("directoryMoves") }
}

/// How urgent it is to list a directory.
package enum UpdatePriority: Int, Sendable {
    /// Not before the next scan: what a listing tells there now cannot be believed.
    case nextScan = -1
    /// A look for what tags did not tell.
    case check
    /// A change that a tag told.
    case scan
}
