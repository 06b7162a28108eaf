import FileProviding

/// Counts what happened and tells the observer.
final class TransferLedger: Sendable {
    private struct State {
        var report = TransferReport()
        var foundFiles = 0
        var foundBytes: Int64 = 0
    }

    private let state = Locked(State())
    private let observe: @Sendable (TransferEvent) -> Void

    init(observe: @escaping @Sendable (TransferEvent) -> Void) { self.observe = observe }

    var report: TransferReport { state.withLock { $0.report } }

    /// Counts files that are about to be looked at.
    func found(_ items: [FileObject]) {
        let (files, bytes) = state.withLock { state in
            for item in items where !item.isDirectory {
                state.foundFiles += 1
                state.foundBytes += item.size ?? 0
            }
            return (state.foundFiles, state.foundBytes)
        }
        observe(.found(files: files, bytes: bytes))
    }

    func began(_ job: FileJob, _ progress: OperationProgress) {
        observe(.began(source: job.source.path, size: job.item.size, progress: progress))
    }

    func ended(_ receipt: TransferReceipt) {
        state.withLock { $0.report.count(receipt) }
        observe(.ended(receipt))
    }

    func ended(_ source: ItemPath, _ target: ItemPath, _ outcome: TransferReceipt.Outcome, note: String? = nil) {
        ended(TransferReceipt(source: source, target: target, outcome: outcome, note: note))
    }

    func failed(_ source: ItemPath, _ target: ItemPath, _ error: any Error) {
        ended(TransferReceipt(source: source, target: target, outcome: .failed, error: error))
    }

    /// Runs a copy and writes down how it ended. A cancelled one is not written down.
    func settle(_ job: FileJob, with copy: FileCopy) async {
        do {
            ended(try await copy.run())
        } catch is CancellationError {
            return
        } catch {
            failed(job.source.path, job.target.path, error)
        }
    }
}
