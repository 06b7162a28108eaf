/// Limits for the commands that are sent to a server at once.
public struct SyncBudget: Hashable, Sendable {
    /// The limit for commands of all kinds.
    public var total: Int
    /// The limit for transfers of contents, in either direction.
    public var transfers: Int
    /// The limit for uploads.
    public var uploads: Int
    /// The limit for downloads.
    public var downloads: Int

    /// Creates a budget; limits above `total` have no effect.
    public init(total: Int = 8, transfers: Int = 6, uploads: Int = 4, downloads: Int = 4) {
        self.total = max(1, total)
        self.transfers = max(1, transfers)
        self.uploads = max(1, uploads)
        self.downloads = max(1, downloads)
    }

    /// The kinds of commands that count together.
    enum Share: CaseIterable {
        case uploads, downloads, others
    }

    /// The budget with twice as much of everything.
    var doubled: SyncBudget {
        func twice(_ count: Int) -> Int { count.multipliedReportingOverflow(by: 2).overflow ? .max : count * 2 }
        return SyncBudget(
            total: twice(total), transfers: twice(transfers), uploads: twice(uploads), downloads: twice(downloads))
    }

    /// Returns how many of a share may run.
    func limit(of share: Share) -> Int {
        switch share {
        case .uploads: min(uploads, transfers, total)
        case .downloads: min(downloads, transfers, total)
        case .others: total
        }
    }

    /// Returns whether one more of a share may run next to these.
    func allows(_ share: Share, beside load: Load) -> Bool {
        let transfers = load.uploads + load.downloads
        guard transfers + load.others < total else { return false }
        switch share {
        case .uploads: return load.uploads < uploads && transfers < self.transfers
        case .downloads: return load.downloads < downloads && transfers < self.transfers
        case .others: return true
        }
    }
}

extension SyncRecord.Kind {
    /// The share that a command of this kind counts for.
    var share: SyncBudget.Share {
        switch self {
        case .upload: .uploads
        case .download: .downloads
        case .createFolder, .move, .copy, .update, .delete: .others
        }
    }
}
