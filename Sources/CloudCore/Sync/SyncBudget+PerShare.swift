extension SyncBudget {
    /// A value for each share: found without hashing, since it is accessed several times for each command.
    struct PerShare<Value> {
        var uploads, downloads, others: Value

        subscript(share: Share) -> Value {
            get {
                switch share {
                case .uploads: uploads
                case .downloads: downloads
                case .others: others
                }
            }
            _modify {
                switch share {
                case .uploads: yield &uploads
                case .downloads: yield &downloads
                case .others: yield &others
                }
            }
        }
    }

    /// The number of commands of each share.
    typealias Load = PerShare<Int>
}

extension SyncBudget.PerShare {
    /// Creates the same value for each share.
    init(_ value: Value) { self.init(uploads: value, downloads: value, others: value) }
}

extension SyncBudget.PerShare: Sendable where Value: Sendable {}
