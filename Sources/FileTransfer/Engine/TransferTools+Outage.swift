import FileProviding

/// Ends a transfer whose storage is gone: every other file would make all its attempts only to fail as well.
struct StorageGone: Error {}

/// What an item's error shows about the storages.
enum Outage {
    /// The storages answer.
    case none
    /// One storage was unavailable for a while, and is back.
    case over
    /// The transfer ends with this error.
    case ends(any Error)
}

extension TransferTools {
    /// Records that an item failed.
    ///
    /// - Throws: what ends the transfer, such as ``StorageGone``.
    func failed(_ source: TransferEndpoint, _ target: TransferEndpoint, _ error: any Error) async throws {
        _ = try await isOutageOver(behind: error, source, target)
        await ledger.failed(source.path, target.path, error)
    }

    /// Returns whether the failure was caused by an outage that is over.
    ///
    /// - Throws: what ends the transfer.
    func isOutageOver(
        behind error: any Error, _ source: TransferEndpoint, _ target: TransferEndpoint
    ) async throws -> Bool {
        switch await outage(behind: error, source, target) {
        case .none: return false
        case .over: return true
        case .ends(let end): throw end
        }
    }

    /// Determines whether an item's error was caused by a storage that is gone, or that lets nobody in any more: the
    /// transfer then ends, with ``StorageGone``, or with `CancellationError` if another item has shown it in the
    /// meantime. Only the first item to show it is recorded.
    func outage(
        behind error: any Error, _ source: TransferEndpoint, _ target: TransferEndpoint
    ) async -> Outage {
        if error.isLockout, await isLockedOut(of: source.provider, target.provider) {
            if ledger.cutShort() { await ledger.failed(source.path, target.path, error) }
            return .ends(StorageGone())
        }
        guard error.isOutage else { return error.endsTransfer ? .ends(error) : .none }
        var outage = Outage.none
        for provider in [source.provider, target.provider] {
            let unanswered = await questions(unansweredBy: provider)
            guard !Task.isCancelled else { return .ends(CancellationError()) }
            guard let unanswered else {
                if ledger.cutShort() { await ledger.failed(source.path, target.path, error) }
                return .ends(StorageGone())
            }
            if unanswered > 0 { outage = .over }
        }
        return outage
    }

    /// Returns whether a storage refuses by now what it let in when the transfer began, as with a token that has
    /// expired, and not only an item that has a protection of its own.
    private func isLockedOut(of source: any FileProvider, _ target: any FileProvider) async -> Bool {
        var ends: [TransferEndpoint] = []
        if let job = jobs.first(where: { $0.source.provider.identity == source.identity }) { ends.append(job.source) }
        if let job = jobs.first(where: { $0.target.provider.identity == target.identity }) {
            let named = job.isInside ? job.target.path.parent ?? .root : job.target.path
            ends.append(job.target.at(named))
        }
        for end in ends {
            do { _ = try await end.provider.attributesOfItem(path: end.path) } catch {
                if error.isLockout { return true }
            }
        }
        return false
    }

    /// Sends a storage other requests until it answers, or for as long as an outage may last. Any file copied in the
    /// meantime counts as an answer too.
    ///
    /// - Returns: how many requests it did not answer before; `nil` when it answered none.
    private func questions(unansweredBy provider: any FileProvider) async -> Int? {
        let copied = ledger.report.copied
        var (waited, unanswered) = (Duration.zero, 0)
        while unanswered == 0 || ledger.report.copied == copied {
            let begin = ContinuousClock.now
            do {
                try await provider.checkReachable()
                break
            } catch {
                guard error.isOutage else { break }
            }
            unanswered += 1
            let pause = retries.pause(after: unanswered)
            waited += ContinuousClock.now - begin + pause
            if waited >= options.retries.outage { return nil }
            do { try await clock.sleep(for: pause) } catch { break }
        }
        return unanswered
    }
}
