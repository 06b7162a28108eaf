import FileProviding

/// What transfers need besides their plan: the journals, the known limits of each storage, and a clock.
public struct TransferEnvironment: Sendable {
    /// Where interrupted transfers are recorded; `nil` to record none.
    public var journals: TransferJournals?
    /// The known limits of each storage; transfers that share this object share the limits.
    public var paces: TransferPaces
    /// The clock that measures pauses between attempts.
    public var clock: any Clock<Duration>

    /// Creates an environment. Without journals, nothing is remembered beyond the run.
    public init(
        journals: TransferJournals? = nil, paces: TransferPaces = TransferPaces(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.journals = journals
        self.paces = paces
        self.clock = clock
    }
}
