import FileProviding

/// What has been found out about a server by trying, shared by all connections to it.
final class ServerKnowledge: Sendable {
    private struct State {
        var hasLinks: Bool?
        var listsLinks = false
        var linkOrder: LinkOrder?
        var keepsTimes: Bool?
    }

    private let state = Locked(State())

    /// Whether the server supports symbolic links; `nil` before that was tried.
    var hasLinks: Bool? {
        get { state.withLock { $0.hasLinks } }
        set { state.withLock { $0.hasLinks = newValue } }
    }

    /// Whether the server has listed a link as a link.
    var listsLinks: Bool {
        get { state.withLock { $0.listsLinks } }
        set { state.withLock { $0.listsLinks = newValue } }
    }

    /// Which argument of SYMLINK the server treats as the target; `nil` before that was tried.
    var linkOrder: LinkOrder? {
        get { state.withLock { $0.linkOrder } }
        set { state.withLock { $0.linkOrder = newValue } }
    }

    /// Whether files keep the times that they are given; `nil` before that was tried.
    var keepsTimes: Bool? {
        get { state.withLock { $0.keepsTimes } }
        set { state.withLock { $0.keepsTimes = newValue } }
    }
}
