import FileProviding

/// What transfers need besides their plan: where journals are kept, what was found out about storages, the time.
public struct TransferSurroundings: Sendable {
    /// Where interrupted transfers are remembered; `nil` to remember none.
    public var journals: TransferJournals?
    /// What is known of how much each storage bears; transfers that share it share the limits.
    public var paces: TransferPaces
    /// Measures pauses between attempts.
    public var clock: any Clock<Duration>

    /// Without journals, nothing is remembered beyond the run.
    public init(
        journals: TransferJournals? = nil, paces: TransferPaces = TransferPaces(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.journals = journals
        self.paces = paces
        self.clock = clock
    }
}
