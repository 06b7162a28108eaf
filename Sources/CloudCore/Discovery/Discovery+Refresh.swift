import FileProviding
import Foundation

/// Listings of single directories that cannot wait for a scan.
extension Discovery {
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
}
