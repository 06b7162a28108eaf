import FileProviding
import GRDB

/// The steps from an empty file to the current tables, in order. A step that has been released is never changed.
enum Migrations {
    static let all: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 items", migrate: items)
        migrator.registerMigration("2 listings", migrate: listings)
        migrator.registerMigration("3 search by name", migrate: searchByName)
        migrator.registerMigration("4 issues", migrate: issues)
        migrator.registerMigration("5 sync records", migrate: syncRecords)
        migrator.registerMigration("6 policies", migrate: policies)
        migrator.registerMigration("7 subjects of issues", migrate: subjectsOfIssues)
        migrator.registerMigration("8 forgiven attempts", migrate: forgivenAttempts)
        migrator.registerMigration("9 values in columns", migrate: valuesInColumns)
        migrator.registerMigration("10 what commands name", migrate: whatCommandsName)
        migrator.registerMigration("11 requests of jobs", migrate: requestsOfJobs)
        migrator.registerMigration("12 refusals", migrate: refusals)
        migrator.registerMigration("13 shares and downloads", migrate: sharesAndDownloads)
        migrator.registerMigration("14 answers", migrate: answers)
        migrator.registerMigration("15 what removed directories held", migrate: whatRemovedDirectoriesHeld)
        migrator.registerMigration("16 copies that claims hold", migrate: heldCopies)
        migrator.registerMigration("17 values of policies", migrate: valuesOfPolicies)
        migrator.registerMigration("18 failed listings", migrate: failedListings)
        migrator.registerMigration("19 directories", migrate: directories)
        return migrator
    }()

    /// Creates the table of items by their permanent identifier, with what the server reported and what is local.
    ///
    /// `name` is text for display and queries; a name that is not UTF-8 has its exact bytes in `nameBytes`, which is
    /// empty otherwise. `sortKey` orders names naturally by its bytes, so one index finds a directory's entries in
    /// order and one entry by name. Times are nanoseconds since 1970.
    private static func items(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE items (
                    localID INTEGER PRIMARY KEY AUTOINCREMENT,
                    parentID INTEGER,
                    name TEXT NOT NULL,
                    nameBytes BLOB NOT NULL,
                    sortKey BLOB NOT NULL,
                    type TEXT NOT NULL,
                    fileID TEXT,
                    etag TEXT,
                    size INTEGER,
                    modified INTEGER,
                    created INTEGER,
                    contentType TEXT,
                    owner TEXT,
                    isReadOnly INTEGER,
                    isHidden INTEGER NOT NULL,
                    width INTEGER,
                    height INTEGER,
                    childrenCount INTEGER,
                    isOnServer INTEGER NOT NULL,
                    copyName BLOB,
                    copyVersion TEXT,
                    isModified INTEGER NOT NULL DEFAULT 0,
                    newerVersion TEXT,
                    removedAt INTEGER,
                    revision INTEGER NOT NULL
                );
                CREATE INDEX itemsByLocation ON items(parentID, sortKey, name) WHERE removedAt IS NULL;
                CREATE INDEX itemsByFileID ON items(fileID) WHERE fileID IS NOT NULL;
                CREATE INDEX itemsByRevision ON items(revision);
                CREATE INDEX tombstones ON items(removedAt) WHERE removedAt IS NOT NULL;
                CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
                INSERT INTO counters VALUES
                    ('generation', abs(random()) | 1), ('revision', 1), ('forgotten', 0);
                INSERT INTO items (parentID, name, nameBytes, sortKey, type, isHidden, isOnServer, revision)
                    VALUES (NULL, '', x'', x'', 'directory', 0, 1, 1);
                """)
    }

    /// Records when each directory was last listed completely, which ones are to be listed, and which items are missing
    /// from their places but may still be found elsewhere.
    private static func listings(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE listings (directoryID INTEGER PRIMARY KEY, listedAt INTEGER NOT NULL);
                CREATE INDEX listingsByTime ON listings(listedAt);
                CREATE TABLE updateJobs (directoryID INTEGER PRIMARY KEY, priority INTEGER NOT NULL);
                CREATE INDEX updateJobsByPriority ON updateJobs(priority DESC, directoryID);
                ALTER TABLE items ADD COLUMN isMissing INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX missingItems ON items(parentID) WHERE isMissing;
                INSERT INTO counters VALUES ('directoryMoves', 0);
                """)
    }

    /// Adds the case-folded names, for search by name.
    private static func searchByName(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE items ADD COLUMN foldedName TEXT NOT NULL DEFAULT '';
                UPDATE items SET foldedName = \(SQLFunctions.folded)(name);
                CREATE INDEX itemsByFoldedName ON items(foldedName);
                """)
    }

    /// Adds the issues that wait for an answer; `item` is 0 for those about the whole vault. `wentBack` is 1 once the
    /// server has shown something that is older than it was.
    private static func issues(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE issues (
                    kind TEXT NOT NULL,
                    item INTEGER NOT NULL,
                    detail TEXT NOT NULL,
                    raisedAt INTEGER NOT NULL,
                    UNIQUE (kind, item)
                );
                CREATE INDEX newerVersions ON items(parentID) WHERE newerVersion IS NOT NULL;
                INSERT INTO counters VALUES ('wentBack', 0);
                """)
    }

    /// Adds the unfinished commands, the events that answer them, and where the server has the commands' items.
    ///
    /// `serverPlaces` has the items whose place on the server differs from the local one: moved or removed locally and
    /// not yet there. `settledPlaces` records when a command last changed a place on the server, so that a listing from
    /// before is recognized.
    private static func syncRecords(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE syncRecords (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    itemID INTEGER NOT NULL,
                    action TEXT NOT NULL,
                    phase TEXT NOT NULL,
                    waits TEXT NOT NULL,
                    attempts INTEGER NOT NULL,
                    isDoubtful INTEGER NOT NULL,
                    failure TEXT,
                    completed INTEGER NOT NULL DEFAULT 0,
                    total INTEGER,
                    queuedAt INTEGER NOT NULL
                );
                CREATE INDEX syncRecordsByItem ON syncRecords(itemID);
                CREATE TABLE events (number INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);
                CREATE TABLE serverPlaces (itemID INTEGER PRIMARY KEY, parentID INTEGER NOT NULL, name BLOB NOT NULL);
                CREATE INDEX serverPlacesByParent ON serverPlaces(parentID, name);
                CREATE TABLE settledPlaces (
                    parentID INTEGER NOT NULL, name BLOB NOT NULL, revision INTEGER NOT NULL,
                    PRIMARY KEY (parentID, name)
                ) WITHOUT ROWID;
                ALTER TABLE items ADD COLUMN copyID TEXT;
                UPDATE items SET copyID = CAST(localID AS TEXT) WHERE copyName IS NOT NULL;
                CREATE INDEX itemsWithCopies ON items(localID) WHERE copyID IS NOT NULL;
                CREATE INDEX unsentItems ON items(localID) WHERE isModified OR NOT isOnServer;
                """)
    }

    /// Adds which copies are to be kept, and when each was last used.
    private static func policies(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE policies (id TEXT PRIMARY KEY, kind TEXT NOT NULL, itemID INTEGER NOT NULL);
                CREATE TABLE claims (
                    id TEXT PRIMARY KEY, itemID INTEGER NOT NULL, claim TEXT NOT NULL, lock INTEGER NOT NULL
                );
                ALTER TABLE items ADD COLUMN usedAt INTEGER;
                """)
    }

    /// Adds the certificate or address that an issue is about.
    private static func subjectsOfIssues(_ database: GRDB.Database) throws {
        try database.execute(sql: "ALTER TABLE issues ADD COLUMN subject TEXT")
    }

    /// Lets attempts keep their numbers when a user lets a command continue.
    private static func forgivenAttempts(_ database: GRDB.Database) throws {
        try database.execute(sql: "ALTER TABLE syncRecords ADD COLUMN forgivenAttempts INTEGER NOT NULL DEFAULT 0")
    }

    /// Moves the versions of copies and the actions of records, which had been JSON, to separate columns. Values that
    /// cannot be decoded are left out: the engine makes a new record for what was created, moved or edited locally, but
    /// not for a removal, attributes or a copy on the server. `copyVersion` stays, empty, because SQLite before 3.35
    /// cannot drop a column.
    private static func valuesInColumns(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE items ADD COLUMN copyETag TEXT;
                ALTER TABLE items ADD COLUMN copySize INTEGER;
                ALTER TABLE items ADD COLUMN copyModified INTEGER;
                CREATE TABLE newRecords (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    id TEXT NOT NULL UNIQUE,
                    itemID INTEGER NOT NULL,
                    kind TEXT NOT NULL,
                    oldParentID INTEGER,
                    oldName BLOB,
                    newParentID INTEGER,
                    newName BLOB,
                    copyID TEXT,
                    copyName BLOB,
                    sourceID INTEGER,
                    attributes TEXT,
                    phase TEXT NOT NULL,
                    waits TEXT NOT NULL,
                    attempts INTEGER NOT NULL,
                    forgivenAttempts INTEGER NOT NULL DEFAULT 0,
                    isDoubtful INTEGER NOT NULL,
                    failure TEXT,
                    completed INTEGER NOT NULL DEFAULT 0,
                    total INTEGER,
                    queuedAt INTEGER NOT NULL
                );
                """)
        let copies = "SELECT localID, copyVersion FROM items WHERE copyVersion IS NOT NULL"
        for row in try Row.fetchAll(database, sql: copies) {
            try database.run(
                "UPDATE items SET copyVersion = NULL, \(ItemRow.copyAssignments) WHERE localID = ?",
                ItemRow.arguments(ofCopy: try? ItemRow.value(row[1])) + [row[0] as Int64])
        }
        for row in try Row.fetchAll(database, sql: "SELECT number, action FROM syncRecords") {
            guard let action: SyncAction = try? ItemRow.value(row[1]) else { continue }
            let others = """
                number, id, itemID, phase, waits, attempts, forgivenAttempts, isDoubtful, failure, completed, total, queuedAt
                """
            try database.run(
                """
                INSERT INTO newRecords (\(ActionRow.columns), \(others))
                SELECT \(ActionRow.placeholders), \(others) FROM syncRecords WHERE number = ?
                """, ActionRow.arguments(action) + [row[0] as Int64])
        }
        try database.execute(
            sql: """
                DROP TABLE syncRecords;
                ALTER TABLE newRecords RENAME TO syncRecords;
                CREATE INDEX syncRecordsByItem ON syncRecords(itemID);
                """)
    }

    /// Adds indexes for what is copied and where things are moved, which every removal looks up, and for the copies of
    /// removed items, which its end looks up.
    private static func whatCommandsName(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE INDEX syncRecordsBySource ON syncRecords(sourceID) WHERE sourceID IS NOT NULL;
                CREATE INDEX movesByTarget ON syncRecords(newParentID) WHERE kind = 'move';
                CREATE INDEX copiesOfRemoved ON items(localID) WHERE copyID IS NOT NULL AND removedAt IS NOT NULL;
                """)
    }

    /// Adds the number of requests to jobs: a job that is requested again while it is being done has to be done once
    /// more. Indexes all destinations, not only those of moves, and the sources of moves.
    private static func requestsOfJobs(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE updateJobs ADD COLUMN requests INTEGER NOT NULL DEFAULT 1;
                DROP INDEX IF EXISTS movesByTarget;
                CREATE INDEX syncRecordsByDestination ON syncRecords(newParentID) WHERE kind <> 'upload';
                CREATE INDEX movesBySource ON syncRecords(oldParentID) WHERE kind = 'move';
                """)
    }

    /// Counts how often the server has refused a command separately from how often it was tried.
    private static func refusals(_ database: GRDB.Database) throws {
        try database.execute(sql: "ALTER TABLE syncRecords ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0")
    }

    /// Adds the shares of items, and whether an item's contents are being fetched, and why.
    private static func sharesAndDownloads(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE items ADD COLUMN shares TEXT;
                ALTER TABLE items ADD COLUMN isDownloading INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE items ADD COLUMN downloadTrigger TEXT;
                CREATE INDEX sharedItems ON items(localID) WHERE shares IS NOT NULL;
                UPDATE items SET isDownloading = 1
                    WHERE localID IN (SELECT itemID FROM syncRecords WHERE kind = 'download');
                """)
    }

    /// Adds the server's last answers about things that are not items, as JSON.
    private static func answers(_ database: GRDB.Database) throws {
        try database.execute(
            sql: "CREATE TABLE answers (subject TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID")
    }

    /// Records what was in a directory when it was removed locally, since its removal may remove nothing else on the
    /// server. `isSeenInside` is 1 if that is known: the directory was listed completely, or created locally.
    private static func whatRemovedDirectoriesHeld(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE items ADD COLUMN isSeenInside INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX tombstonesByLocation ON items(parentID) WHERE removedAt IS NOT NULL;
                """)
    }

    /// Copies that no longer belong to an item but are kept by claims with at least this lock.
    private static func heldCopies(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE heldCopies (copyID TEXT NOT NULL, itemID INTEGER NOT NULL, lock INTEGER NOT NULL,
                    PRIMARY KEY (copyID, itemID)) WITHOUT ROWID;
                CREATE INDEX claimsByItem ON claims(itemID);
                """)
    }

    /// What a policy demands, where its kind does not say it all: the seconds until a copy expires, `NULL` for never;
    /// 1 if copies are updated, 0 if not.
    private static func valuesOfPolicies(_ database: GRDB.Database) throws {
        try database.execute(sql: "ALTER TABLE policies ADD COLUMN value REAL")
    }

    /// When a directory could not be listed first and last, and how often; it waits behind those that were not tried.
    private static func failedListings(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE updateJobs ADD COLUMN failedAt INTEGER;
                ALTER TABLE updateJobs ADD COLUMN triedAt INTEGER;
                ALTER TABLE updateJobs ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
                DROP INDEX updateJobsByPriority;
                CREATE INDEX updateJobsByPriority ON updateJobs(priority DESC, triedAt, directoryID);
                """)
    }

    /// Finds the directories among many files, of which each scan lists those that were listed longest ago.
    private static func directories(_ database: GRDB.Database) throws {
        try database.execute(
            sql: "CREATE INDEX directories ON items(localID) WHERE type = 'directory' AND removedAt IS NULL")
    }
}
