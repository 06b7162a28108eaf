import FileProviding

/// The limits that transfers have determined for each storage. Transfers that share one object share the limits.
public final class TransferPaces: Sendable {
    private let paces = Locked<[ProviderIdentity: Pace]>([:])

    /// Creates an object without any known limits.
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
