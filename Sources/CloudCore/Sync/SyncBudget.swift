/// How much is asked of a server at once.
public struct SyncBudget: Hashable, Sendable {
    /// Commands of all kinds.
    public var total: Int
    /// Transfers of contents, in either direction.
    public var transfers: Int
    /// Uploads.
    public var uploads: Int
    /// Downloads.
    public var downloads: Int

    /// A budget; what is more than `total` counts as that.
    public init(total: Int = 8, transfers: Int = 6, uploads: Int = 4, downloads: Int = 4) {
        self.total = max(1, total)
        self.transfers = max(1, transfers)
        self.uploads = max(1, uploads)
        self.downloads = max(1, downloads)
    }

    /// How many of a kind may run.
    func limit(of kind: SyncRecord.Kind) -> Int {
        switch kind {
        case .upload: min(uploads, transfers, total)
        case .download: min(downloads, transfers, total)
        case .createFolder, .move, .copy, .update, .delete: total
        }
    }

    /// Whether one more of a kind may run beside these.
    func allows(_ kind: SyncRecord.Kind, beside running: [SyncRecord.Kind: Int]) -> Bool {
        let (up, down) = (running[.upload] ?? 0, running[.download] ?? 0)
        guard running.values.reduce(0, +) < total else { return false }
        switch kind {
        case .upload: return up < uploads && up + down < transfers
        case .download: return down < downloads && up + down < transfers
        case .createFolder, .move, .copy, .update, .delete: return true
        }
    }
}
