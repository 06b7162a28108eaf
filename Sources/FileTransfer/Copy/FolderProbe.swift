import FileProviding
import Foundation

/// Finds out whether a source and what exists at its target are one item with two addresses: a server under two names, a folder
/// and the server that shows it. A move onto itself would remove the only copy, whose bytes agree with themselves.
///
/// A file that is put into the source's folder for a moment shows in the target's if they are one; each pair of folders is
/// asked once.
package actor FolderProbe {
    private struct Pair: Hashable {
        let source: ItemPath
        let target: ItemPath
    }

    private var answers: [Pair: Task<Bool, any Error>] = [:]

    /// Knows nothing yet.
    package init() {}

    /// - Throws: ``FileError/sameItem(_:)`` when they are one; what keeps from finding out.
    package func requireApart(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws {
        // Two names in one folder are two items, but for what some storages take for one name.
        guard let (mine, theirs) = Self.parents(source, target),
            source.path.lastComponent?.text.lowercased() == target.path.lastComponent?.text.lowercased()
        else { return }
        let pair = Pair(source: mine.path, target: theirs.path)
        let answer = answers[pair] ?? Task { try await Self.areOne(mine, theirs) }
        answers[pair] = answer
        if try await answer.value { throw FileError.sameItem(target.path) }
    }

    private static func parents(
        _ source: TransferEndpoint, _ target: TransferEndpoint
    ) -> (TransferEndpoint, TransferEndpoint)? {
        guard let mine = source.path.parent, let theirs = target.path.parent else { return nil }
        return (TransferEndpoint(source.provider, mine), TransferEndpoint(target.provider, theirs))
    }

    private static func areOne(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws -> Bool {
        let name = TemporaryName.random()
        let probe = source.path.appending(name)
        try await source.provider.writeContents(path: probe, contents: Data())
        let seen: Result<Bool, any Error>
        do {
            _ = try await target.provider.attributesOfItem(path: target.path.appending(name))
            seen = .success(true)
        } catch {
            seen = error.isNoSuchFile ? .success(false) : .failure(error)
        }
        try await source.provider.removeItem(path: probe)
        return try seen.get()
    }
}
