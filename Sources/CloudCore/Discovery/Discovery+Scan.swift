import FileProviding

/// Scans: finding out what has changed anywhere in the vault's tree.
extension Discovery {
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
        let isNoneAtWork = scans == 0 && refreshes == 0 && listings.isEmpty
        try await database.write { writer in
            if isNoneAtWork { try writer.noteKnown() }
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
}
