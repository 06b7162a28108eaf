import FileProviding

/// What a mirror does after the walk: files that only moved are moved, what the source does not have is removed, and where a
/// file becomes a directory or the other way round, the new one comes when the old one has gone.
final class MirrorPlan: Sendable {
    private struct State {
        var extra: [FileObject] = []
        var heldBack: [FileJob] = []
        var obstructed: [FileJob] = []
        var twins: [ItemPath: ItemName] = [:]
        var gone: Set<ItemPath> = []
        var present = 0
        var root: ItemPath?
    }

    let rule: MirrorRule
    private let state = Locked(State())
    /// New files that wait for the walk's end, in case they only moved; more than these are copied at once.
    private static let mostHeldBack = 10_000

    init(_ rule: MirrorRule) { self.rule = rule }

    /// Whether a file that is new at the target waits until it is known what has gone there.
    func holdsBack(_ file: FileJob) -> Bool {
        guard rule.deletes, file.existing == nil, file.size > 0 else { return false }
        return state.withLock { state in
            guard state.heldBack.count < Self.mostHeldBack else { return false }
            state.heldBack.append(file)
            return true
        }
    }

    /// Whether an item waits until what stands in its way is removed: a directory where a file is to go, or a file where a
    /// directory is. What stands there is extra then.
    func waitsForRoom(_ file: FileJob) -> Bool {
        guard rule.deletes, let existing = file.existing, file.isObstructed else { return false }
        state.withLock { state in
            state.obstructed.append(file)
            state.extra.append(existing)
        }
        return true
    }

    /// The destination turned out to have another name, as names that are mapped do.
    func follow(_ path: ItemPath) { state.withLock { $0.root = path } }

    /// The destination's path, where it is another than was asked for.
    var root: ItemPath? { state.withLock { $0.root } }

    /// What waits for room.
    var obstructed: [FileJob] { state.withLock { $0.obstructed } }

    /// Takes in how many items a directory of the target has before anything is copied into it.
    func note(present count: Int) { state.withLock { $0.present += count } }

    /// How many items the target had, without what is below those that have no counterpart.
    var present: Int { state.withLock { $0.present } }

    /// Takes in what stands at the target without a counterpart at the source.
    ///
    /// - Parameter twin: the name beside it, which the source has, that a storage may take for the item's own.
    func note(extra item: FileObject, twin: ItemName?) {
        guard rule.deletes else { return }
        state.withLock { state in
            state.extra.append(item)
            if let twin { state.twins[item.path] = twin }
        }
    }

    /// The name that a storage may take for this item's.
    func twin(of path: ItemPath) -> ItemName? { state.withLock { $0.twins[path] } }

    /// Takes in that an item has left its place, or in a dry run would.
    func note(gone path: ItemPath) { state.withLock { _ = $0.gone.insert(path.asItem) } }

    /// What has left its place, or would.
    var gone: Set<ItemPath> { state.withLock { $0.gone } }

    /// What the source does not have.
    var extra: [FileObject] { state.withLock { $0.extra } }

    /// The files that were held back, each with the item at the target that it was before it moved, if there is one.
    func moves(_ sameness: (FileObject, FileObject) -> Bool) -> [(file: FileJob, from: FileObject?)] {
        let (files, extra) = state.withLock { state in
            defer { state.heldBack = [] }
            return (state.heldBack, state.extra)
        }
        var candidates = Dictionary(grouping: extra.filter { $0.isRegularFile }, by: { $0.size ?? 0 })
        var taken: Set<ItemPath> = []
        let pairs = files.map { file -> (file: FileJob, from: FileObject?) in
            // Two that fit equally well prove nothing.
            let fitting = (candidates[file.size] ?? []).filter { sameness(file.item, $0) }
            guard fitting.count == 1, let from = fitting.first else { return (file, nil) }
            candidates[file.size]?.removeAll { $0.path == from.path }
            taken.insert(from.path)
            return (file, from)
        }
        state.withLock { state in state.extra.removeAll { taken.contains($0.path) } }
        return pairs
    }
}
