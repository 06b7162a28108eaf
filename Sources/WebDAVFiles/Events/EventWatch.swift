import FileProviding
import Foundation
import HTTPFiles

/// Translates a cloud's events, which identify items by identifier, into changes by path.
///
/// The paths of items that were seen are remembered. An item that was never seen is looked up; if its former path
/// matters and is not known, the directory has to be listed again.
struct EventWatch {
    /// The most paths to remember beyond the directory's own entries; others are looked up again.
    private static let memory = 20_000

    let provider: WebDAVFileProvider
    let cloud: CloudServer
    let path: ItemPath
    let isRecursive: Bool
    private var paths: [String: ItemPath]

    /// - Parameter entries: the directory's entries when watching begins.
    init(
        _ provider: WebDAVFileProvider, _ cloud: CloudServer, path: ItemPath, isRecursive: Bool,
        entries: [FileObject]
    ) {
        self.provider = provider
        self.cloud = cloud
        self.path = path.asItem
        self.isRecursive = isRecursive
        paths = Dictionary(
            entries.compactMap { file in file.fileID.map { ($0, file.path) } }, uniquingKeysWith: { $1 })
    }

    /// Returns what an event means for the directory; empty when it is about something else. If the server does not
    /// report where the item is now, the whole directory has to be listed again.
    mutating func changes(for event: CloudEvent) async throws -> [FileChange] {
        do { return try await foundChanges(for: event) } catch is WebDAVError { return [.rescan(path)] }
    }

    private mutating func foundChanges(for event: CloudEvent) async throws -> [FileChange] {
        if let space = event.space, let own = cloud.space, space != own { return [] }
        let former = paths[event.item]
        if event.kind == .removed {
            paths[event.item] = nil
            if let former { return told([.removed(former)]) }
            return told(try await lookAgain(event.parent))
        }
        guard let now = try await provider.metaPath(of: event.item, cloud) else {
            // The item is gone or has moved on since.
            return told(try await lookAgain(event.parent))
        }
        if paths.count >= Self.memory { paths.removeAll() }
        paths[event.item] = now
        switch event.kind {
        case .written: return told([former == now ? .modified(now) : .created(now)])
        case .renamed, .moved:
            // What was written under another name has been reported under this one.
            if former == now { return [] }
            if let former {
                // The paths of what was below it have changed too.
                paths = paths.filter { !$0.value.isInside(former) }
                paths[event.item] = now
                return told([.moved(from: former, to: now)])
            }
            let directory = event.kind == .renamed ? now.parent ?? path : path
            return told([.created(now)] + (try await lookAgain(at: directory)))
        case .removed: return []
        }
    }

    /// Whether the watched directory is gone.
    var isOver: Bool {
        get async throws { try await provider.itemIfPresent(path) == nil }
    }

    /// Returns the changes that concern the watched directory, as seen from it.
    private func told(_ changes: [FileChange]) -> [FileChange] {
        changes.compactMap { change in
            switch change {
            case .created(let item), .modified(let item), .removed(let item): return concerns(item) ? change : nil
            case .moved(let from, let to):
                switch (concerns(from), concerns(to)) {
                case (true, true): return change
                case (true, false): return .removed(from)
                case (false, true): return .created(to)
                case (false, false): return nil
                }
            case .rescan(let directory):
                if path.isInside(directory) { return .rescan(path) }
                return isRecursive && directory.isInside(path) ? change : nil
            }
        }
    }

    private func concerns(_ item: ItemPath) -> Bool {
        guard item.isInside(path), item != path, let name = item.lastComponent, !TemporaryName.isOurs(name) else {
            return false
        }
        return isRecursive || item.parent == path
    }

    /// Returns a `rescan` of the directory in which something happened. A directory that is gone itself needs none: its
    /// own removal is reported too.
    private mutating func lookAgain(_ id: String?) async throws -> [FileChange] {
        guard let id else { return [.rescan(path)] }
        let known = paths[id]
        guard let directory = try await known == nil ? provider.metaPath(of: id, cloud) : known else { return [] }
        paths[id] = directory
        return try await lookAgain(at: directory)
    }

    /// Returns a `rescan` of a directory; if it is above the watched one, all that matters is whether the watched one
    /// still exists.
    private func lookAgain(at directory: ItemPath) async throws -> [FileChange] {
        guard directory != path, path.isInside(directory) else { return [.rescan(directory)] }
        return try await isOver ? [.rescan(path)] : []
    }
}
