import FileProviding

/// Ends a transfer whose storage is gone: every other file would take all its attempts only to fail as well.
struct StorageGone: Error {}

extension TransferTools {
    /// Writes down that an item was not done.
    ///
    /// - Throws: ``StorageGone`` where that is because a storage is.
    func failed(_ source: TransferEndpoint, _ target: TransferEndpoint, _ error: any Error) async throws {
        try await checkStorages(source, target, after: error)
        await ledger.failed(source.path, target.path, error)
    }

    /// Asks both storages for something else, if an error may mean that one is gone.
    ///
    /// - Throws: ``StorageGone``; the item is written down as the one that showed it, unless another was. Also
    ///   `CancellationError`.
    func checkStorages(_ source: TransferEndpoint, _ target: TransferEndpoint, after error: any Error) async throws {
        guard error.isOutage else { return }
        let isGone = await isGone(source.provider, target.provider)
        // Another item has shown it meanwhile, or nobody asks any more.
        try Task.checkCancellation()
        guard isGone else { return }
        if ledger.cutShort() { await ledger.failed(source.path, target.path, error) }
        throw StorageGone()
    }

    private func isGone(_ providers: any FileProvider...) async -> Bool {
        for provider in providers {
            do { try await provider.checkReachable() } catch { if error.isOutage { return true } }
        }
        return false
    }
}
