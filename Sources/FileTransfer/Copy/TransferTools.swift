import FileProviding

/// The objects that the copies of one transfer share.
final class TransferTools: Sendable {
    let options: TransferOptions
    /// What the transfer was asked for; it was let in there when it began.
    let jobs: [TransferPlan.Job]
    let ledger: TransferLedger
    let journal: TransferJournal
    let retries: RetryBudget
    let clock: any Clock<Duration>
    /// The backup of what is replaced or removed, if requested.
    let backup: Backup?
    /// Prevents what is moved from being moved onto itself.
    let probe = FolderProbe()
    /// Whether the destination was seen to take names that are composed differently for one.
    let normalizesNames = Locked(false)
    /// What is known about the times of a destination that does not tell whether it keeps them.
    let keptTimes = KeptTimes()
    /// What is copied after everything else, one by one.
    let twins = Twins()
    /// Whether the storage has refused to rename an item without copying, as between two file systems.
    let needsCopies = Locked(false)
    /// Whether a source has refused one of several streams of a file.
    let refusesStreams = Locked(false)
    /// Limits the number of bytes per second, if requested.
    let bandwidth: RateLimiter?

    init(
        _ plan: TransferPlan, ledger: TransferLedger, journal: TransferJournal, retries: RetryBudget,
        clock: any Clock<Duration>, backup: Backup?, bandwidth: RateLimiter?
    ) {
        options = plan.options
        jobs = plan.jobs
        self.ledger = ledger
        self.journal = journal
        self.retries = retries
        self.clock = clock
        self.backup = backup
        self.bandwidth = bandwidth
    }
}
