import FileProviding

/// The files whose names a destination may take for another item's: they differ only in case, in normalization, or in
/// dots and spaces at the end. Most servers look whether a name is taken and then give it, so that the later one of two
/// that arrive at the same time replaces the earlier unnoticed. So these come last, one after another.
final class Twins: Sendable {
    struct Twin {
        let job: TransferPlan.Job
        /// Whether the destination does not list the name, so that whatever is found under it is another item.
        let isUnlisted: Bool
    }

    private let twins = Locked<[Twin]>([])

    func add(_ job: TransferPlan.Job, isUnlisted: Bool) {
        twins.withLock { $0.append(Twin(job: job, isUnlisted: isUnlisted)) }
    }

    /// Returns the files, and forgets them.
    func take() -> [Twin] {
        twins.withLock { twins in
            defer { twins = [] }
            return twins
        }
    }
}
