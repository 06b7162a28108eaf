import FileProviding

/// What is to be done when a transaction that advanced records has been committed.
struct SyncEffects: Sendable {
    let vault: Vault
    /// Whether somebody in this run of the program hears of a command's end.
    let isAwaited: @Sendable (EventID) -> Bool
    /// Whether the server has answered something else meanwhile.
    let isOnline: Bool
    /// Commands that have ended, and how.
    var ended: [(record: SyncRecord, result: Result<Item, any Error>)] = []
    /// Records that have changed, or are gone.
    var records: Set<Int64> = []
    /// Those of them that have ended and whose turn others have now.
    var reused: Set<Int64> = []
    /// Records whose turn is another by what a listing has shown, although they are the same.
    var reordered: Set<Int64> = []
    /// Copies that nobody needs any more.
    var released: [LocalCopy] = []
    /// Directories that have to be looked at before the record goes on.
    var outdated: Set<LocalID> = []
    /// What the connection has to do, for a record whose attempt has begun.
    var begun: (operation: ConnectionOperation, record: SyncRecord)?
    /// Whether the server has answered.
    var hasAnswer = false
    /// What is wrong with the way to the server.
    var failure: EventFailure?

    /// Whether something else has to be done before the records go on.
    var holdUp: Bool { failure != nil || !outdated.isEmpty }

    init(
        vault: Vault, isAwaited: @escaping @Sendable (EventID) -> Bool = { _ in true }, isOnline: Bool = false
    ) {
        (self.vault, self.isAwaited, self.isOnline) = (vault, isAwaited, isOnline)
    }

    /// Puts contents that have no place on the server into the recovery folder, at once: they must not depend on what
    /// happens after the commit.
    mutating func recover(_ copy: LocalCopy) throws {
        _ = try vault.recover(copy)
        released.append(copy)
    }

    /// Notes that a command has ended.
    mutating func end(_ record: SyncRecord, _ result: Result<Item, any Error>) {
        ended.append((record, result))
        records.insert(record.number)
    }
}
