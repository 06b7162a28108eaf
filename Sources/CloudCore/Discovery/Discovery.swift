import FileProviding
import Foundation

/// Keeps the vault's items in step with the server: scans, and listings that cannot wait for one.
///
/// Every directory that has to be listed is a job in the database, so that an interrupted scan continues where it was.
/// Several directories are listed at once; a directory that is being listed is not listed a second time in the
/// meantime.
actor Discovery {
    let database: Database
    private let connection: any Connection
    private let width: Int
    private let deepCheckInterval: Duration
    private var traits: ConnectionTraits?
    private(set) var listings: [LocalID: Listing] = [:]
    private var scans = 0
    /// The number of refreshes in progress: what is missing from one of their directories may be in another.
    private(set) var refreshes = 0
    /// Whether one of them has found something missing.
    private var hasRefreshMissed = false

    /// A listing in progress and the other tasks that wait for it.
    struct Listing {
        let task: Task<DirectoryUpdate.Outcome, any Error>
        let end = SharedResult<DirectoryUpdate.Outcome>()
    }

    /// The refreshes that have ended and wait for others.
    private var refreshers: [UUID: CheckedContinuation<Void, Never>] = [:]

    /// - Parameters:
    ///   - width: how many directories are listed at once.
    ///   - deepCheckInterval: how long an unchanged tag is trusted.
    init(database: Database, connection: any Connection, width: Int, deepCheckInterval: Duration) {
        self.database = database
        self.connection = connection
        self.width = width
        self.deepCheckInterval = deepCheckInterval
    }

    // MARK: Scans

    /// Finds out what has changed: if tags propagate, by the root's tag and then only in directories whose tags
    /// changed; otherwise by listing again up to `budget` directories, beginning with those not listed for longest. If
    /// tags propagate, up to `budget` directories that have not been listed for the deep check's interval are listed
    /// too.
    ///
    /// - Throws: what the connection throws; remaining jobs are done by the next scan.
    func scan(budget: Int) async throws -> ScanReport {
        try await checkRoot()
        if try await connectionTraits().propagatesDirectoryETags {
            let interval = deepCheckInterval
            try await beginScan { try $0.addJobsForListings(olderThan: interval, limit: budget) }
            return try await drain(budget: .max)
        }
        try await beginScan { try $0.addJobsForOldestListings(limit: budget) }
        return try await drain(budget: budget)
    }

    /// Lists every directory again, whatever its tag is: repairs what tags missed.
    func deepCheck() async throws -> ScanReport {
        try await beginScan { try $0.addJobsForOldestListings(limit: .max) }
        return try await drain(budget: .max)
    }

    private func beginScan(_ addJobs: @escaping @Sendable (ItemWriter) throws -> Void) async throws {
        try await database.write { writer in
            try writer.takeUpLeftJobs()
            try addJobs(writer)
        }
    }

    /// Checks the root: whether its tag shows changes, and whether it is the root of the known server.
    ///
    /// - Returns: whether its tag shows changes, so that it has to be listed.
    @discardableResult
    func checkRoot() async throws -> Bool {
        let file = try await connection.attributes(of: .root)
        let propagates = try await connectionTraits().propagatesDirectoryETags
        return try await database.write { writer in
            guard let root = try writer.reader.item(.root) else { return false }
            let version = ServerVersion(file)
            let isOther = root.fileID != nil && version.fileID != nil && version.fileID != root.fileID
            if isOther || version.wentBack(from: root.version) { try writer.note(.certain) }
            let hasChanged =
                try propagates && (!writer.reader.isListed(.root) || root.etag != version.etag || version.etag == nil)
            if hasChanged { try writer.addJob(.root, .scan) }
            if root.differs(from: version) {
                try writer.update(root, to: version, childrenCount: file.childrenCount)
            }
            return hasChanged && version.etag != nil
        }
    }

    /// Does the jobs until none are left or the budget is used up, and judges losses, which may add further jobs.
    func drain(budget: Int) async throws -> ScanReport {
        scans += 1
        defer { scans -= 1 }
        var report = try await doJobs(budget: budget)
        var looks = Self.looks
        while isAlone, try await judgeLosses(after: report, lookingAgain: &looks) {
            let more = try await doJobs(budget: max(budget - report.listings, 1))
            report.listings += more.listings
            report.looked.formUnion(more.looked)
            report.failures += more.failures
            report.isComplete = more.isComplete
        }
        return report
    }

    /// How often a scan looks again because something has changed while it looked: on a busy server there would be no
    /// end.
    private static let looks = 2

    /// The most directories of a scan that are remembered.
    private static let fewDirectories = 1_000

    /// Whether nobody else is listing what may have what is missing.
    var isAlone: Bool { scans == 1 && refreshes == 0 && listings.isEmpty }

    /// Does the jobs, the most urgent first.
    private func doJobs(budget: Int) async throws -> ScanReport {
        var report = ScanReport()
        var failed: Set<LocalID> = []
        var gone: Set<LocalID> = []
        try await withThrowingTaskGroup(of: (LocalID, Result<DirectoryUpdate.Outcome, any Error>).self) { group in
            var running: Set<LocalID> = []
            while true {
                let free = min(width - running.count, budget - report.listings)
                if free > 0 {
                    let busy = running.union(failed)
                    for directory in try await database.read({ try $0.jobs(limit: free, excluding: busy) }) {
                        report.listings += 1
                        running.insert(directory)
                        group.addTask { (directory, try await self.outcomeOfListing(directory)) }
                    }
                }
                guard let (done, result) = try await group.next() else { break }
                running.remove(done)
                switch result {
                case .success(.isDisplaced):
                    report.listings -= 1
                case .success(.isGone) where !gone.insert(done).inserted:
                    // Its parent still reports it.
                    failed.insert(done)
                    let error = FileError.noSuchFile("item \(done)")
                    report.failures.append(ScanReport.Failure(directory: done, error: error))
                case .success:
                    if report.looked.count < Self.fewDirectories { report.looked.insert(done) }
                case .failure(let error):
                    failed.insert(done)
                    var failure = ScanReport.Failure(directory: done, error: error)
                    let interval = deepCheckInterval
                    failure.isLasting = try await database.write {
                        try $0.noteFailedListing(of: done, lasting: interval)
                    }
                    report.failures.append(failure)
                }
            }
        }
        let unlisted = failed
        report.isComplete = try await database.read { try $0.jobs(limit: 1, excluding: unlisted).isEmpty }
        return report
    }

    /// Lists one of several directories. A directory that alone cannot be listed does not hold up the others: its job,
    /// if there is one, stays for the next scan, and its error is returned.
    private func outcomeOfListing(
        _ directory: LocalID, anew isAnew: Bool = false
    ) async throws -> Result<DirectoryUpdate.Outcome, any Error> {
        do {
            return .success(try await list(directory, anew: isAnew))
        } catch {
            if error.isCancellation || directory == .root { throw error }
            // A server that answers otherwise has trouble with this directory alone.
            let isDoubtful = error is URLError || EventFailure(error).meaning.mayBeAboutOneItem
            if isDoubtful, await !isAnswering() { throw error }
            return .failure(error)
        }
    }

    private func isAnswering() async -> Bool { (try? await connection.attributes(of: .root)) != nil }

    // MARK: Single directories

    /// Lists directories now, before all jobs, and finds out where items missing from them have gone.
    func refresh(_ directories: LocalID...) async throws { try await refresh(directories) }

    /// Does the same for many directories, one of which may have what another is missing; the same applies to
    /// concurrent refreshes by other tasks, so all end together.
    func refresh(_ directories: [LocalID]) async throws {
        refreshes += 1
        let result: Result<Void, any Error>
        do { result = .success(try await listAll(directories)) } catch { result = .failure(error) }
        refreshes -= 1
        guard refreshes == 0 else {
            await othersEnd()
            return try result.get()
        }
        let (hasMissed, others) = (hasRefreshMissed, Array(refreshers.keys))
        if scans == 0 { hasRefreshMissed = false }
        defer { for other in others { stopWaiting(other) } }
        if hasMissed, scans == 0, try await connectionTraits().propagatesDirectoryETags {
            // What is due for the deep check has nothing to do with what is missing.
            _ = try await scan(budget: 0)
        } else if scans == 0 {
            _ = try await drain(budget: 0)
        }
        try result.get()
    }

    /// Waits for the refreshes of other tasks, or for the cancellation of this one.
    private func othersEnd() async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                if Task.isCancelled { waiting.resume() } else { refreshers[id] = waiting }
            }
        } onCancel: {
            Task { await self.stopWaiting(id) }
        }
    }

    private func stopWaiting(_ id: UUID) { refreshers.removeValue(forKey: id)?.resume() }

    /// - Throws: when all others have been listed, the error of one that alone failed.
    private func listAll(_ directories: [LocalID]) async throws {
        var pending = directories
        var failure: (any Error)?
        while let directory = pending.popLast() {
            switch try await outcomeOfListing(directory, anew: true) {
            case .success(.complete): break
            case .success(.hasLosses): hasRefreshMissed = true
            case .success(.hasMoved):
                // By another listing than the one that has ended this way.
                await Task.yield()
                pending.append(directory)
            case .success(.isGone), .success(.isDisplaced):
                // Its parent's listing shows whether it has been removed or has moved.
                if let parent = try await database.read({ try $0.item(directory)?.parentID }) { pending.append(parent) }
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Makes the item at `path` known, by listing the directories above it that have not been listed, and returns it.
    ///
    /// - Throws: `.fileReadNoSuchFile` when the server has no such item.
    func resolve(_ path: ItemPath) async throws -> Item {
        var directory = LocalID.root
        var item = try await database.read { try $0.item(.root) }
        for name in path.components {
            let parent = directory
            item = try await database.read { try $0.item(named: name, in: parent) }
            if item == nil {
                _ = try await list(parent)
                item = try await database.read { try $0.item(named: name, in: parent) }
            }
            guard let found = item else { throw FileError.noSuchFile(path) }
            directory = found.localID
        }
        guard let item else { throw FileError.noSuchFile(path) }
        return item
    }

    /// Lists a directory, or waits for the listing of it that is in progress.
    ///
    /// - Parameter isAnew: whether a listing in progress is not enough, because it may be from before what is looked
    ///   for.
    private func list(_ directory: LocalID, anew isAnew: Bool = false) async throws -> DirectoryUpdate.Outcome {
        let traits = try await connectionTraits()
        let earlier = isAnew ? listings[directory]?.task : nil
        while let listing = listings[directory] {
            // A listing by another task that was cancelled is no reason to give up this one.
            do {
                let outcome = try await listing.end.value()
                if listing.task != earlier { return outcome }
            } catch is CancellationError { try Task.checkCancellation() }
            await Task.yield()
        }
        let update = DirectoryUpdate(
            database: database, connection: connection, traits: traits, directory: directory)
        let task = Task { try await update.run() }
        listings[directory] = Listing(task: task)
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        listings.removeValue(forKey: directory)?.end.finish(result)
        return try result.get()
    }

    func connectionTraits() async throws -> ConnectionTraits {
        if let traits { return traits }
        let found = try await connection.traits()
        traits = found
        return found
    }
}
