import FileProviding
import GRDB

/// What a scan has to do and has done: listings, persistent jobs for the directories to be listed, and missing items.
extension ItemWriter {
    // MARK: Listings

    /// Records that all of a directory's entries are known now.
    func setListed(_ directory: LocalID) throws {
        try execute(
            """
            INSERT INTO listings VALUES (?, ?)
            ON CONFLICT DO UPDATE SET listedAt = excluded.listedAt
            """, [directory.rawValue, now.nanoseconds])
        recountLater(directory)
    }

    /// Makes any tag that the directory has next time count as a new one.
    func forgetTag(of directory: LocalID) throws {
        try execute("UPDATE items SET etag = NULL WHERE localID = ?", [directory.rawValue])
    }

    /// Records that not all of a directory's entries are known any more.
    func forgetListing(of directory: LocalID) throws {
        try execute("DELETE FROM listings WHERE directoryID = ?", [directory.rawValue])
    }

    // MARK: Jobs

    /// Records that a directory has to be listed, by a listing that begins after this; an existing job keeps the higher
    /// priority.
    func addJob(_ directory: LocalID, _ priority: UpdatePriority) throws {
        guard !jobsAdded.contains(directory) else { return }
        try execute(
            """
            INSERT INTO updateJobs (directoryID, priority) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET priority = max(priority, excluded.priority), requests = requests + 1
            """, [directory.rawValue, priority.rawValue])
        if priority == .scan { jobsAdded.insert(directory) }
    }

    /// Makes a directory that could not be listed wait behind all others: many of them would use up every scan.
    ///
    /// - Returns: whether it has been tried in vain several times, for at least this long.
    func noteFailedListing(of directory: LocalID, lasting: Duration) throws -> Bool {
        jobsAdded.remove(directory)
        try execute(
            """
            UPDATE updateJobs SET priority = min(priority, ?1), triedAt = ?2, failures = failures + 1,
            failedAt = min(coalesce(failedAt, ?2), ?2) WHERE directoryID = ?3
            """, [UpdatePriority.check.rawValue, now.nanoseconds, directory.rawValue])
        let latest = now.later(bySeconds: -lasting.components.seconds)
        return try reader.database.firstRow(
            of: "SELECT 1 FROM updateJobs WHERE directoryID = ? AND failures >= 3 AND failedAt <= ?",
            [directory.rawValue, latest.nanoseconds]
        ) { _ in true } ?? false
    }

    /// Adds jobs for the directories that have been listed longest ago, or never; at most `limit`, in addition to more
    /// urgent ones. One that could not be listed counts as listed then. A listing in the future, from before a clock
    /// was set back, counts as none.
    func addJobsForOldestListings(limit: Int) throws {
        try execute(
            "INSERT OR IGNORE INTO updateJobs (directoryID, priority) \(Self.oldestListings)",
            [UpdatePriority.check.rawValue, limit, now.nanoseconds])
    }

    /// Selects directories and their priority (?1), those listed longest ago by now (?3) first, at most ?2.
    static let oldestListings = """
        SELECT localID, ?1 FROM items INDEXED BY directories
        LEFT JOIN listings ON listings.directoryID = localID LEFT JOIN updateJobs ON updateJobs.directoryID = localID
        WHERE type = 'directory' AND removedAt IS NULL AND isOnServer AND coalesce(updateJobs.priority, ?1) <= ?1
        ORDER BY coalesce(CASE WHEN triedAt <= ?3 THEN triedAt END, CASE WHEN listedAt <= ?3 THEN listedAt END), localID
        LIMIT ?2
        """

    /// Adds jobs for directories that have been listed longer ago than this, at most `limit`, in addition to more
    /// urgent ones; a listing in the future, from before a clock was set back, counts as old.
    func addJobsForListings(olderThan interval: Duration, limit: Int) throws {
        let oldest = FileTime(seconds: now.seconds - interval.components.seconds).nanoseconds
        try execute(
            """
            INSERT OR IGNORE INTO updateJobs (directoryID, priority)
            SELECT localID, ?1 FROM listings JOIN items ON localID = listings.directoryID
            LEFT JOIN updateJobs ON updateJobs.directoryID = localID
            WHERE (listedAt < ?2 OR listedAt > ?3) AND removedAt IS NULL AND isOnServer
            AND coalesce(updateJobs.priority, ?1) <= ?1
            ORDER BY coalesce(CASE WHEN triedAt <= ?3 THEN triedAt END, listedAt) LIMIT ?4
            """, [UpdatePriority.check.rawValue, oldest, now.nanoseconds, limit])
    }

    /// Makes a scan that begins do the jobs that were left to it.
    func takeUpLeftJobs() throws {
        try execute(
            "UPDATE updateJobs SET priority = ? WHERE priority = ?",
            [UpdatePriority.scan.rawValue, UpdatePriority.nextScan.rawValue])
    }

    /// Removes a directory's job, unless it was requested again since there were that many requests.
    func finishJob(_ directory: LocalID, requests: Int64?) throws {
        jobsAdded.remove(directory)
        try execute("DELETE FROM updateJobs WHERE directoryID = ? AND requests = ?", [directory.rawValue, requests])
        try execute(
            """
            UPDATE updateJobs SET failures = 0, failedAt = NULL, triedAt = NULL
            WHERE directoryID = ? AND triedAt IS NOT NULL
            """, [directory.rawValue])
    }

    /// Leaves a directory's job to the next scan.
    func leaveToNextScan(_ directory: LocalID, requests: Int64?) throws {
        try finishJob(directory, requests: requests)
        try addJob(directory, .nextScan)
    }

    // MARK: Missing items

    /// Records that a directory's contents are known, because it was created locally.
    func markSeenInside(_ directory: LocalID) throws {
        try execute("UPDATE items SET isSeenInside = 1 WHERE localID = ?", [directory.rawValue])
    }

    /// Records whether the server has shown something that is older than it was.
    func note(_ state: Losses.EarlierState) throws {
        if state == .byName, try reader.earlierState() == .certain { return }
        try execute("UPDATE counters SET value = ?1 WHERE name = 'wentBack' AND value <> ?1", [state.rawValue])
    }

    /// Records that an item is missing from its place: it may have moved to a directory that has not been listed yet.
    func markMissing(_ id: LocalID) throws {
        try execute("UPDATE items SET isMissing = 1 WHERE localID = ?", [id.rawValue])
    }

    /// Records that an item is no longer missing: the server has just done something with it.
    func clearMissing(_ id: LocalID) throws {
        try execute("UPDATE items SET isMissing = 0 WHERE localID = ? AND isMissing", [id.rawValue])
    }

    /// Clears which of a directory's entries on the server are missing, because they are about to be looked for again.
    func clearMissing(in directory: LocalID) throws {
        try execute(
            """
            UPDATE items SET isMissing = 0 WHERE isMissing AND coalesce(
                (SELECT parentID FROM serverPlaces WHERE itemID = localID), parentID) = ?
            """, [directory.rawValue])
    }

    /// Turns an item with unsent changes that the server no longer has into a placeholder.
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
    /// Returns the directories to be listed next, most urgent first, without those in `excluding`.
    package func jobs(limit: Int, excluding: Set<LocalID> = []) throws -> [LocalID] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT directoryID FROM updateJobs WHERE priority > ? ORDER BY priority DESC, triedAt, directoryID LIMIT ?
                """)
        let ids = try Int64.fetchAll(
            statement, arguments: [UpdatePriority.nextScan.rawValue, limit + excluding.count])
        return Array(ids.lazy.map(LocalID.init(rawValue:)).filter { !excluding.contains($0) }.prefix(limit))
    }

    /// Returns whether there is a directory to be listed in which a change has shown, and that could be listed so far.
    func hasUntriedJobs() throws -> Bool {
        try database.firstRow(
            of: "SELECT 1 FROM updateJobs WHERE priority = ? AND failures = 0", [UpdatePriority.scan.rawValue]
        ) { _ in true } ?? false
    }

    /// Returns how often a listing of a directory has been requested; `nil` if it has no job.
    func requests(ofJob directory: LocalID) throws -> Int64? {
        try database.firstRow(of: "SELECT requests FROM updateJobs WHERE directoryID = ?", [directory.rawValue]) {
            $0.integer(0)
        }
    }

    /// Returns whether all of a directory's entries are known.
    package func isListed(_ directory: LocalID) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM listings WHERE directoryID = ?"),
            arguments: [directory.rawValue]) != nil
    }

    /// Returns whether an item is missing from its place.
    func isMissing(_ id: LocalID) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM items WHERE localID = ? AND isMissing"),
            arguments: [id.rawValue]) != nil
    }

    /// Returns the items that are missing from their places.
    func missingItems() throws -> [Item] { try items("isMissing AND removedAt IS NULL", []) }

    /// Returns how often directories have moved, which changes the paths of items whose rows stay as they are.
    func directoryMoves() throws -> Int64 { try counter("directoryMoves") }
}

/// The urgency of listing a directory.
package enum UpdatePriority: Int, Sendable {
    /// Not before the next scan: what a listing would report there now cannot be trusted.
    case nextScan = -1
    /// A check for what tags did not show.
    case check
    /// A change that a tag showed.
    case scan
}
