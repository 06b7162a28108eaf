import FileProviders

/// The accumulated status from a transfer's events.
struct TransferStatus {
    /// A file being copied.
    struct Active {
        var name: String
        var size: Int64?
        var progress: OperationProgress
    }

    /// Files and bytes found so far.
    private(set) var foundFiles = 0
    private(set) var foundBytes: Int64 = 0
    /// The number of finished files, whatever the result.
    private(set) var endedFiles = 0
    /// The files being copied, in the order in which they began.
    private(set) var active: [ItemPath: Active] = [:]
    private var endedBytes: Int64 = 0

    /// Bytes copied or found to need no copy.
    var bytes: Int64 { active.values.reduce(endedBytes) { $0.addingSaturated($1.progress.current.completed) } }

    /// Applies an event.
    ///
    /// - Parameter name: returns how the source's path is shown.
    mutating func apply(_ event: TransferEvent, name: (ItemPath) -> String) {
        switch event {
        case .found(let files, let bytes):
            foundFiles = max(foundFiles, files)
            foundBytes = max(foundBytes, bytes)
        case .began(let source, let size, let progress):
            active[source] = Active(name: name(source), size: size, progress: progress)
        case .ended(let receipt):
            // A folder that is created may be one that could not be copied in one operation.
            let progress = active.removeValue(forKey: receipt.source)
            guard ![.created, .moved, .deleted].contains(receipt.outcome) else { return }
            endedFiles += receipt.isWholeDirectory ? receipt.wholeDirectoryFiles ?? 0 : 1
            endedBytes = endedBytes.addingSaturated(progress?.size ?? receipt.size ?? receipt.bytes)
        }
    }
}
