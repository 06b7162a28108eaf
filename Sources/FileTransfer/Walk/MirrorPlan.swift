import FileProviding

/// What a mirror does after the walk: files that were only moved are moved, items that the source does not have are
/// removed, and where a file becomes a directory or the other way round, the new item is copied when the old one is
/// gone.
final class MirrorPlan: Sendable {
    private struct State {
        var extra: [FileObject] = []
        var heldBack: [FileJob] = []
        var obstructed: [FileJob] = []
        var twins: [ItemPath: ItemName] = [:]
        var gone: Set<ItemPath> = []
        var present = 0
        var ours = 0
        var root: ItemPath?
    }

    let rule: MirrorRule
    private let state = Locked(State())
    /// The most new files that wait for the end of the walk, in case they were only moved; further ones are copied at
    /// once.
    private static let mostHeldBack = 10_000

    init(_ rule: MirrorRule) { self.rule = rule }

    /// Returns whether a file that is new at the target waits until it is known what is missing there.
    func holdsBack(_ file: FileJob) -> Bool {
        guard rule.deletes, file.existing == nil, file.size > 0 else { return false }
        return state.withLock { state in
            guard state.heldBack.count < Self.mostHeldBack else { return false }
            state.heldBack.append(file)
            return true
        }
    }

    /// Returns whether an item waits until the item in its way is removed: a directory where a file is to go, or a file
    /// where a directory is to go. That item is then extra.
    func waitsForRoom(_ file: FileJob) -> Bool {
        guard rule.deletes, let existing = file.existing, file.isObstructed else { return false }
        state.withLock { state in
            state.obstructed.append(file)
            state.extra.append(existing)
        }
        return true
    }

    /// Records that the destination turned out to have another name, as mapped names do.
    func follow(_ path: ItemPath) { state.withLock { $0.root = path } }

    /// The destination's path, if it is not the requested one.
    var root: ItemPath? { state.withLock { $0.root } }

    /// The files that wait for the item in their way to be removed.
    var obstructed: [FileJob] { state.withLock { $0.obstructed } }

    /// Records how many items a directory of the target has.
    func note(present count: Int) { state.withLock { $0.present += count } }

    /// Records that the target has one of them only since an earlier run of this mirror, which has not come to its end.
    func noteOurs() { state.withLock { $0.ours += 1 } }

    /// The number of items that the target has, without those below directories that have no counterpart, and how many
    /// of them have a counterpart and were put there by this mirror.
    var present: (all: Int, ours: Int) { state.withLock { ($0.present, $0.ours) } }

    /// Records an item at the target without a counterpart at the source.
    ///
    /// - Parameter twin: the name of an item at the source that a storage may treat as this item's name.
    func note(extra item: FileObject, twin: ItemName?) {
        guard rule.deletes else { return }
        state.withLock { state in
            state.extra.append(item)
            if let twin { state.twins[item.path] = twin }
        }
    }

    /// Returns the name that a storage may treat as this item's.
    func twin(of path: ItemPath) -> ItemName? { state.withLock { $0.twins[path] } }

    /// Records that an item has left its place, or would in a dry run.
    func note(gone path: ItemPath) { state.withLock { _ = $0.gone.insert(path.asItem) } }

    /// The items that have left their places, or would.
    var gone: Set<ItemPath> { state.withLock { $0.gone } }

    /// The items that the source does not have.
    var extra: [FileObject] { state.withLock { $0.extra } }

    /// Returns the files that were held back, each with its former item at the target if it was moved: the only one
    /// with the same size, a name or a hash in common, and `sameness`.
    func moves(_ sameness: (FileObject, FileObject) -> Bool) -> [(file: FileJob, from: FileObject?)] {
        let (files, extra) = state.withLock { state in
            defer { state.heldBack = [] }
            return (state.heldBack, state.extra)
        }
        let resemblance = Resemblance(extra)
        var taken: Set<ItemPath> = []
        let pairs = files.map { file -> (file: FileJob, from: FileObject?) in
            // Two files that match equally well prove nothing.
            let fitting = resemblance.candidates(for: file).filter {
                !taken.contains($0.path) && sameness(file.item, $0)
            }
            guard let from = fitting.first, fitting.allSatisfy({ $0.path == from.path }) else { return (file, nil) }
            taken.insert(from.path)
            return (file, from)
        }
        state.withLock { state in state.extra.removeAll { taken.contains($0.path) } }
        return pairs
    }
}

/// Files by what a moved file keeps.
private struct Resemblance {
    private enum Feature: Hashable {
        case name(ItemName, size: Int64)
        case checksum(Checksum, size: Int64)
    }

    private var files: [Feature: [FileObject]] = [:]

    init(_ items: [FileObject]) {
        for item in items where item.isRegularFile {
            for feature in Self.features(of: item, size: item.size ?? 0) { files[feature, default: []].append(item) }
        }
    }

    /// Returns the files with a file's size, and with its name or one of its hashes; those with both more than once.
    func candidates(for file: FileJob) -> [FileObject] {
        Self.features(of: file.item, size: file.size).flatMap { files[$0] ?? [] }
    }

    private static func features(of item: FileObject, size: Int64) -> [Feature] {
        [.name(item.itemName, size: size)] + item.checksums.map { .checksum($0, size: size) }
    }
}
