import FileProviding
import Foundation

/// The connections to one server as one account: one that all requests share, opened on first use and again after it
/// was lost, and additional ones that help with large files.
///
/// A helper that is unavailable is no error: the server may not allow more, or would need to ask the user again. Idle
/// helpers close themselves.
final class ConnectionPool: Sendable {
    /// Creates the connection for all requests; it may ask the user.
    typealias Connector = @Sendable ((any SSHInteraction)?) throws -> SFTPConnection
    /// Creates a connection for large files, without asking the user.
    typealias HelperConnector = @Sendable () throws -> SFTPConnection

    private struct Helper {
        let connection: SFTPConnection
        /// The index of the connector that created it.
        let means: Int
    }

    private struct State {
        var shared: SFTPConnection?
        var idle: [Helper] = []
        var lent: [Helper] = []
        /// The index of the connector that creates helpers now: those before it failed.
        var means = 0
        /// The small files in progress, and the number that began while many were in progress.
        var files = (underWay: 0, crowded: 0)
        /// The time before which no further helper is tried.
        var rest: ContinuousClock.Instant?
        var interaction: (any SSHInteraction)?
    }

    /// The most connections that may exist, even while a large file is in progress.
    static let most = 6
    /// The most connections at a shorter distance, where more are no faster.
    private static let mostNearby = 4
    /// The size below which a transfer is over before a second connection is established.
    private static let worthHelp: Int64 = 32 << 20
    /// How many concurrent small files count as a crowd, and how many files have to begin in one to be worth a second
    /// connection.
    private static let crowd = (underWay: 4, files: 12)
    /// How long no further helper is tried after the server refused one.
    private static let restAfterRefusal = Duration.seconds(60)

    let roots = ResolvedRoots()
    let knowledge = ServerKnowledge()
    private let state = Locked(State())
    private let width: Int?
    private let helpers: [HelperConnector]
    private let connect: Connector

    /// - Parameters:
    ///   - width: the number of connections for a large file, or `nil` to choose by distance and processors.
    ///   - helpers: ways to create helpers, best first; one that fails is not tried again.
    init(width: Int? = nil, helpers: [HelperConnector] = [], connect: @escaping Connector) {
        self.width = width
        self.helpers = helpers
        self.connect = connect
    }

    var interaction: (any SSHInteraction)? {
        get { state.withLock { $0.interaction } }
        set { state.withLock { $0.interaction = newValue } }
    }

    /// The number of connections that are open or being opened.
    var count: Int {
        state.withLock { state in
            ((state.shared.map { [$0] } ?? []) + (state.idle + state.lent).map(\.connection)).count { $0.ending == nil }
        }
    }

    /// Returns the connection that all share, or a new one if it has ended.
    func connection() throws -> SFTPConnection {
        try state.withLock { state in
            if let connection = state.shared, connection.ending == nil { return connection }
            let connection = try connect(state.interaction)
            state.shared = connection
            return connection
        }
    }

    /// Returns the number of connections for a transfer of this many bytes.
    func width(for count: Int64, _ traits: ServerTraits) -> Int {
        guard count >= Self.worthHelp, traits.isFileSystem else { return 1 }
        if let width { return min(max(width, 1), Self.most) }
        switch traits.distance {
        case .nearby: return min(Self.mostNearby, max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
        case .away: return Self.mostNearby
        case .farAway: return Self.most
        }
    }

    /// Begins a small file. When many are in progress, every second one is given a helper, which may have other work
    /// too: a server's process handles one connection's requests one after another.
    ///
    /// - Returns: `nil` for the connection that all share.
    func beginFile(_ traits: ServerTraits) -> (connection: SFTPConnection, traits: ServerTraits)? {
        state.withLock { state in
            state.files.underWay += 1
            guard traits.isFileSystem, width ?? 2 > 1, ProcessInfo.processInfo.activeProcessorCount > 1,
                state.files.underWay >= Self.crowd.underWay
            else { return nil }
            state.files.crowded += 1
            guard state.files.crowded >= Self.crowd.files, state.files.crowded.isMultiple(of: 2) else { return nil }
            sweep(&state)
            guard let helper = state.idle.first ?? state.lent.first else {
                if let helper = begin(&state, upTo: 1) { state.idle.append(helper) }
                return nil
            }
            guard let traits = helper.connection.readyTraits, helper.connection.mailbox.beginUse() else { return nil }
            return (helper.connection, traits)
        }
    }

    /// Ends a small file.
    ///
    /// - Parameter helper: the connection that the file was given.
    func endFile(on helper: SFTPConnection?) {
        helper?.mailbox.endUse()
        state.withLock { $0.files.underWay -= 1 }
    }

    /// Begins to connect the helpers for an upcoming transfer of this many bytes.
    func prepare(for count: Int64, _ traits: ServerTraits) {
        let wanted = width(for: count, traits) - 1
        state.withLock { state in
            sweep(&state)
            while let helper = begin(&state, upTo: wanted) {
                state.idle.append(helper)
            }
        }
    }

    /// Runs work with a helper; does not run it if none is available.
    ///
    /// - Parameter limit: the most helpers that may exist, for all transfers together.
    func withHelper(upTo limit: Int, _ work: (SFTPConnection, ServerTraits) async throws -> Void) async {
        while let helper = lend(upTo: limit) {
            let traits: ServerTraits
            do {
                traits = try await helper.connection.traits()
            } catch {
                putBack(helper)
                if error.isCancellation { return }
                continue
            }
            try? await work(helper.connection, traits)
            return putBack(helper)
        }
    }

    /// Removes the idle helpers that have ended. If one connector failed, the next one may succeed; if the user would
    /// have to be asked again, no helper is tried for a day; after any other refusal, helpers are tried again later.
    private func sweep(_ state: inout State) {
        for helper in state.idle where !helper.connection.wasLost {
            guard let error = helper.connection.ending else { continue }
            let isFinal = (error as? URLError)?.code == .userAuthenticationRequired
            if helper.means + 1 < helpers.count {
                state.means = max(state.means, helper.means + 1)
            } else {
                state.rest = .now + (isFinal ? .seconds(86_400) : Self.restAfterRefusal)
            }
        }
        state.idle.removeAll { $0.connection.ending != nil }
    }

    private func lend(upTo limit: Int) -> Helper? {
        state.withLock { state in
            sweep(&state)
            while let helper = state.idle.isEmpty ? begin(&state, upTo: limit) : state.idle.removeFirst() {
                // One that closes itself at this moment is none any more.
                guard helper.connection.mailbox.beginUse() else { continue }
                state.lent.append(helper)
                return helper
            }
            return nil
        }
    }

    private func putBack(_ helper: Helper) {
        helper.connection.mailbox.endUse()
        state.withLock { state in
            state.lent.removeAll { $0.connection === helper.connection }
            state.idle.append(helper)
            sweep(&state)
        }
    }

    private func begin(_ state: inout State, upTo limit: Int) -> Helper? {
        guard state.means < helpers.count, state.idle.count + state.lent.count < limit,
            state.rest.map({ $0 < .now }) ?? true, let connection = try? helpers[state.means]()
        else { return nil }
        return Helper(connection: connection, means: state.means)
    }
}
