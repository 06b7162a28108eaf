import FileProviding

/// A client that listed a tree once and afterwards knows only what a polling monitor reports.
final class ChangeFollower: Sendable {
    fileprivate struct State {
        var known: Set<ItemPath>
        var told: [FileChange] = []
        var failure: (any Error)?
    }

    private let trial: ContractTrial
    private let isRecursive: Bool
    private let clock = SteppingClock()
    private let state: Locked<State>

    /// Follows the trial's directory while `body` runs.
    static func follow(
        _ trial: ContractTrial, isRecursive: Bool, listingsPerLook: Int?,
        _ body: (ChangeFollower) async throws -> Void
    ) async throws {
        let follower = ChangeFollower(trial, isRecursive: isRecursive)
        let monitor = PollingMonitor(
            trial.provider, interval: .seconds(1), listingsPerLook: listingsPerLook, clock: follower.clock)
        let changes = try await monitor.changes(path: trial.directory, recursive: isRecursive)
        let listed = try await follower.listed()
        follower.state.withLock { $0.known = listed }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await follower.listen(to: changes) }
            defer { group.cancelAll() }
            await follower.clock.untilAsleep()
            try await body(follower)
        }
    }

    private init(_ trial: ContractTrial, isRecursive: Bool) {
        self.trial = trial
        self.isRecursive = isRecursive
        state = Locked(State(known: []))
    }

    /// The changes reported so far.
    var told: [FileChange] { state.withLock { $0.told } }

    /// Lets the monitor poll once, and receives everything that it reports.
    func look() async throws {
        clock.step()
        await clock.untilAsleep()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Checks that applying the changes led to the actual state.
    func expectConvergence() async throws {
        let known = state.withLock { $0.known }
        try expectEqual(known.sorted(), try await listed().sorted(), "what someone knows who followed the changes")
    }

    private func listed() async throws -> Set<ItemPath> {
        let listing =
            isRecursive
            ? trial.provider.recursiveListing(path: trial.directory) : trial.provider.listing(path: trial.directory)
        return Set(try await listing.collect().map(\.path))
    }

    private func listen(to changes: FileChanges) async {
        do {
            for try await change in changes { state.withLock { $0.apply(change) } }
        } catch {
            if !(error is CancellationError) { state.withLock { $0.failure = error } }
        }
        clock.retire()
    }
}

extension ChangeFollower.State {
    fileprivate mutating func apply(_ change: FileChange) {
        told.append(change)
        switch change {
        case .created(let path), .modified(let path): known.insert(path)
        case .removed(let path): known = known.filter { !$0.isInside(path) }
        case .moved(let source, let destination):
            known.remove(source)
            known.insert(destination)
        case .rescan: break
        }
    }
}
