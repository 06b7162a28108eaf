import FileProviding

/// What has to be done when a transaction that advanced records has been committed.
struct SyncEffects: Sendable {
    let vault: Vault
    /// Returns whether somebody in this run of the program learns of a command's end.
    let isAwaited: @Sendable (EventID) -> Bool
    /// Whether the server has answered something else in the meantime.
    let isOnline: Bool
    /// The commands that have ended, and their results.
    var ended: [(record: SyncRecord, result: Result<Item, any Error>)] = []
    /// The records that have changed, or are gone.
    var records: Set<Int64> = []
    /// Those of them that have ended and whose turn others have now.
    var reused: Set<Int64> = []
    /// The records whose turn has changed because of what a listing has shown, although they are the same.
    var reordered: Set<Int64> = []
    /// The copies that are no longer needed.
    var released: [LocalCopy] = []
    /// Directories that have to be listed before the record continues, in this order.
    var outdated: [LocalID] = []
    /// Whether listing those directories did not find an item, so that everything that has changed must be scanned.
    var isSearchedForEverywhere = false
    /// The operation for the connection, for a record whose attempt has begun.
    var begun: (operation: ConnectionOperation, record: SyncRecord)?
    /// Whether the server has answered.
    var hasAnswer = false
    /// A failure of the connection to the server.
    var failure: EventFailure?

    /// Whether something else has to be done before the records continue.
    var holdUp: Bool { failure != nil || !outdated.isEmpty }

    init(
        vault: Vault, isAwaited: @escaping @Sendable (EventID) -> Bool = { _ in true }, isOnline: Bool = false
    ) {
        (self.vault, self.isAwaited, self.isOnline) = (vault, isAwaited, isOnline)
    }

    /// Records that a command has ended.
    mutating func end(_ record: SyncRecord, _ result: Result<Item, any Error>) {
        ended.append((record, result))
        records.insert(record.number)
    }
}
