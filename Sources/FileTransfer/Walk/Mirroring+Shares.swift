import FileProviding

/// How much of the target a mirror may remove.
extension Mirroring {
    /// How many items would go, of how many, and whether so many may.
    struct RemovalShare {
        var count: Int
        var total: Int
        let limit: MirrorRule.Limit

        var isAllowed: Bool { limit.allows(count, of: total) }
    }

    /// Returns the share of the target that would go with these, and the share of what it had before this mirror was
    /// begun. Both have to be within the limit: what an interrupted run has copied must not make room for the removal
    /// of what was there before, and is itself not to be removed all at once.
    func shares(of victims: [FileObject]) async throws -> (all: RemovalShare, others: RemovalShare) {
        let (extra, present, limit) = (plan.extra, plan.present, plan.rule.maximumDeletions)
        let (go, goOurs) = try await count(victims)
        let below = try await countBelow(extra)
        let all = RemovalShare(count: go, total: present.all + below.all, limit: limit)
        let others = RemovalShare(
            count: go - goOurs, total: all.total - present.ours - below.ours - extra.count { isOurs($0) },
            limit: limit)
        return (all, others)
    }

    /// Whether an earlier run of this mirror has put an item where nothing was.
    private func isOurs(_ item: FileObject) -> Bool { tools.journal.hasMade(item.path) }

    /// Returns the number of items with all that is below them, and how many of those are this mirror's.
    private func count(_ items: [FileObject]) async throws -> (all: Int, ours: Int) {
        let below = try await countBelow(items)
        return (below.all + items.count, below.ours + items.count { isOurs($0) })
    }

    private func countBelow(_ items: [FileObject]) async throws -> (all: Int, ours: Int) {
        var (all, ours) = (0, 0)
        for directory in items where directory.isDirectory {
            let listing = job.target.provider.recursiveListing(path: directory.path.asDirectory)
            for try await page in listing {
                all += page.count
                ours += page.count { isOurs($0) }
            }
        }
        return (all, ours)
    }
}
