import FileProviding

/// Counts what happened and notifies the observer.
final class TransferLedger: Sendable {
    private struct State {
        var report = TransferReport()
        var foundFiles = 0
        var foundBytes: Int64 = 0
        var hasFound = false
        var hasBroken = false
    }

    private let state = Locked(State())
    private let observe: @Sendable (TransferEvent) async -> Void
    private let onBytes: @Sendable (Int64) -> Void
    private let isDryRun: Bool

    /// - Parameters:
    ///   - observe: called with each event; the transfer waits for it.
    ///   - onBytes: called with the number of additional bytes that have been copied; fast, on any thread.
    init(
        isDryRun: Bool, onBytes: @escaping @Sendable (Int64) -> Void,
        observe: @escaping @Sendable (TransferEvent) async -> Void
    ) {
        self.isDryRun = isDryRun
        self.onBytes = onBytes
        self.observe = observe
    }

    var report: TransferReport { state.withLock { $0.report } }

    /// Whether something failed that may succeed in another run.
    var hasBroken: Bool { state.withLock { $0.hasBroken } }

    /// Whether anything to copy, a file or a link, was found.
    var hasFound: Bool { state.withLock { $0.hasFound } }

    /// Whether a storage is gone.
    var isCutShort: Bool { state.withLock { $0.report.isCutShort } }

    /// Records that a storage is gone. Returns whether that is new.
    func cutShort() -> Bool {
        state.withLock { state in
            defer { state.report.isCutShort = true }
            return !state.report.isCutShort
        }
    }

    /// Counts files that are about to be processed.
    func found(_ items: [FileObject]) async {
        await found { state in
            for item in items where !item.isDirectory {
                state.foundFiles += 1
                state.foundBytes = state.foundBytes.addingSaturated(item.size ?? 0)
                if item.type != .unknown { state.hasFound = true }
            }
        }
    }

    /// Counts the files of a directory that the storage has copied in one operation, as far as they are known.
    func found(inside receipt: TransferReceipt) async {
        await found { state in
            state.foundFiles += receipt.wholeDirectoryFiles ?? 0
            state.foundBytes = state.foundBytes.addingSaturated(receipt.bytes)
        }
    }

    private func found(_ count: (inout State) -> Void) async {
        let (files, bytes) = state.withLock { state in
            count(&state)
            return (state.foundFiles, state.foundBytes)
        }
        await observe(.found(files: files, bytes: bytes))
    }

    /// Returns the progress that counts a file's bytes.
    func progress(of job: FileJob) -> OperationProgress {
        let counted = Locked<Int64>(0)
        return OperationProgress(total: job.item.size) { [onBytes] progress in
            let more = counted.withLock { counted in
                defer { counted = max(counted, progress.completed) }
                return progress.completed - counted
            }
            if more > 0 { onBytes(more) }
        }
    }

    func began(_ job: FileJob, _ progress: OperationProgress) async {
        await observe(.began(source: job.source.path, size: job.item.size, progress: progress))
    }

    func ended(_ receipt: TransferReceipt) async {
        var receipt = receipt
        receipt.isPlanned = isDryRun
        state.withLock { state in
            state.report.count(receipt)
            if receipt.error?.isContinuable == true { state.hasBroken = true }
        }
        await observe(.ended(receipt))
    }

    func ended(_ source: ItemPath, _ target: ItemPath, _ outcome: TransferReceipt.Outcome, note: String? = nil) async {
        await ended(TransferReceipt(source: source, target: target, outcome: outcome, note: note))
    }

    func failed(_ source: ItemPath, _ target: ItemPath, _ error: any Error) async {
        await ended(TransferReceipt(source: source, target: target, outcome: .failed, error: error))
    }
}
