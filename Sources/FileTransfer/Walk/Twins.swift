import FileProviding
import Foundation

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

/// The names that are given in one directory.
struct GivenNames {
    /// Their hashes: two names with the same one only wait for each other without need.
    private var hashes: Set<Int> = []

    /// Returns whether a name may be an earlier one's twin; from now on it is an earlier one.
    mutating func isTwin(_ name: ItemName) -> Bool { !hashes.insert(name.folded.hashValue).inserted }
}

extension TransferEndpoint {
    /// Returns whether the storage lists the item by exactly this name, or lists nothing that it may treat as the same
    /// and so hides it.
    func listsThisName() async throws -> Bool {
        guard let parent = path.parent, let name = path.lastComponent else { return true }
        let names = try await provider.contentsOfDirectory(path: parent).map(\.itemName)
        return names.contains(name) || !names.contains { $0.folded == name.folded }
    }

    /// The error for an item whose name the storage gives to another one.
    var twinError: CocoaError {
        cocoaError(path, code: .fileWriteFileExists, reason: "the destination takes its name for another one's")
    }
}
