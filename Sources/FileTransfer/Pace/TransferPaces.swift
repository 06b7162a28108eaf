import FileProviding

/// What transfers found out about how much each storage takes at once. Transfers that share one share the limits.
public final class TransferPaces: Sendable {
    private let paces = Locked<[ProviderIdentity: Pace]>([:])

    /// Nothing found out yet.
    public init() {}

    func pace(of provider: any FileProvider) -> Pace {
        var identity = provider.identity
        identity.root = .root
        return paces.withLock { paces in
            if let pace = paces[identity] { return pace }
            let pace = Pace(start: 16)
            paces[identity] = pace
            return pace
        }
    }
}
