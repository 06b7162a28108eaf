import FileProviding
import Foundation
import HTTPFiles

/// Turns a cloud's events, which name items by identifier, into changes by path.
///
/// The paths of items that were seen are remembered. An item that was never seen is asked for; where its former place
/// matters and is not known, the directory is to be looked at again.
struct EventWatch {
    /// Paths remembered at most; beyond, they are asked for again.
    private static let memory = 20_000

    let provider: WebDAVFileProvider
    let cloud: CloudServer
    let path: ItemPath
    let isRecursive: Bool
    private var paths: [String: ItemPath]

    /// - Parameter entries: what is in the directory when watching begins.
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

    /// What an event means for the directory; empty when it is about something else. Where the server does not say now where
    /// the item is, all of the directory is to be looked at again.
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
        guard let now = try await place(of: event.item) else {
            // Gone or moved on since.
            return told(try await lookAgain(event.parent))
        }
        if paths.count >= Self.memory { paths.removeAll() }
        paths[event.item] = now
        switch event.kind {
        case .written: return told([former == now ? .modified(now) : .created(now)])
        case .renamed, .moved:
            if let former, former != now {
                // What was below it has another path too.
                paths = paths.filter { !$0.value.isInside(former) }
                paths[event.item] = now
                return told([.moved(from: former, to: now)])
            }
            let directory = event.kind == .renamed ? now.parent ?? path : path
            return told([.created(now)] + (try await lookAgain(at: directory)))
        case .removed: return []
        }
    }

    /// Only what concerns the watched directory, seen from it.
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

    /// The directory in which something happened is to be looked at again. One that is gone itself needs no look: its own
    /// removal is told too.
    private mutating func lookAgain(_ id: String?) async throws -> [FileChange] {
        guard let id else { return [.rescan(path)] }
        let known = paths[id]
        guard let directory = try await known == nil ? place(of: id) : known else { return [] }
        paths[id] = directory
        return try await lookAgain(at: directory)
    }

    /// Of what happens above the watched directory it only matters whether that is still there.
    private func lookAgain(at directory: ItemPath) async throws -> [FileChange] {
        guard directory != path, path.isInside(directory) else { return [.rescan(directory)] }
        return try await provider.itemIfPresent(path) == nil ? [.rescan(path)] : []
    }

    /// Where an item is now: `oc:meta-path-for-user` of its `meta` resource. `nil` when it is gone or outside.
    ///
    /// - Throws: ``WebDAVError`` where the server does not say.
    private func place(of id: String) async throws -> ItemPath? {
        let name = XMLName("meta-path-for-user", namespace: XMLName.ownCloud)
        let url = cloud.url("remote.php", "dav", "meta", id)
        let request = provider.metaRequest(url, DAVRequestBody.propfind([], others: [name]))
        let (response, data) = try await provider.session.data(for: request)
        if [404, 410].contains(response.status) { return nil }
        guard response.status == 207 else {
            throw WebDAVError(status: response.status, path: url.path(percentEncoded: false), data: data)
        }
        let parser = MultistatusParser(keeping: [name], url: response.url)
        try parser.consume(data)
        try parser.finish()
        return parser.takeResponses().first?.properties.other[name].flatMap { provider.path(inHome: $0) }
    }
}
