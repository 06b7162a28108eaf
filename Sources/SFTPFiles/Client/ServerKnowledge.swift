import FileProviding

/// What trials have shown of a server, for all connections to it.
final class ServerKnowledge: Sendable {
    private struct State {
        var hasLinks: Bool?
        var listsLinks = false
        var linkOrder: LinkOrder?
        var refusesTimes = false
    }

    private let state = Locked(State())

    /// Whether it has symbolic links; `nil` while nobody has tried.
    var hasLinks: Bool? {
        get { state.withLock { $0.hasLinks } }
        set { state.withLock { $0.hasLinks = newValue } }
    }

    /// Whether it has listed a link as a link.
    var listsLinks: Bool {
        get { state.withLock { $0.listsLinks } }
        set { state.withLock { $0.listsLinks = newValue } }
    }

    /// Which argument of SYMLINK it takes for the target; `nil` while nobody has tried.
    var linkOrder: LinkOrder? {
        get { state.withLock { $0.linkOrder } }
        set { state.withLock { $0.linkOrder = newValue } }
    }

    /// Whether it has refused to set times.
    var refusesTimes: Bool {
        get { state.withLock { $0.refusesTimes } }
        set { state.withLock { $0.refusesTimes = newValue } }
    }
}
