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

    /// The kinds of commands that count alike.
    enum Share: CaseIterable {
        case uploads, downloads, others
    }

    /// Twice as much of everything.
    var doubled: SyncBudget {
        func twice(_ count: Int) -> Int { count.multipliedReportingOverflow(by: 2).overflow ? .max : count * 2 }
        return SyncBudget(
            total: twice(total), transfers: twice(transfers), uploads: twice(uploads), downloads: twice(downloads))
    }

    /// How many of a share may run.
    func limit(of share: Share) -> Int {
        switch share {
        case .uploads: min(uploads, transfers, total)
        case .downloads: min(downloads, transfers, total)
        case .others: total
        }
    }

    /// Whether one more of a share may run beside these.
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
    /// What a command of this kind counts as.
    var share: SyncBudget.Share {
        switch self {
        case .upload: .uploads
        case .download: .downloads
        case .createFolder, .move, .copy, .update, .delete: .others
        }
    }
}
