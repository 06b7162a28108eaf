import FileProviding
import Foundation

/// Finds out whether a source and what exists at its target are one item with two addresses: a server under two names, a folder
/// and the server that shows it. A move onto itself would remove the only copy, whose bytes agree with themselves.
///
/// A file that is put into the source's folder for a moment shows in the target's if they are one; each pair of folders is
/// asked once.
package actor FolderProbe {
    private struct Folder: Hashable {
        let storage: ProviderIdentity
        let path: ItemPath

        init(_ endpoint: TransferEndpoint) { (storage, path) = (endpoint.provider.identity, endpoint.path.asItem) }
    }

    private var answers: [[Folder]: Task<Bool, any Error>] = [:]

    /// Knows nothing yet.
    package init() {}

    /// - Throws: ``FileError/sameItem(_:)`` when they are one; what keeps from finding out.
    package func requireApart(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws {
        // Within one storage the paths tell. Two names in one folder are two items, but for what some storages take for one.
        guard source.path(at: target.provider) == nil, let mine = source.path.parent, let theirs = target.path.parent,
            source.path.lastComponent?.text.lowercased() == target.path.lastComponent?.text.lowercased()
        else { return }
        try await requireApart(
            folders: TransferEndpoint(source.provider, mine), TransferEndpoint(target.provider, theirs), as: target)
    }

    /// The same for two folders.
    package func requireApart(folders source: TransferEndpoint, _ target: TransferEndpoint) async throws {
        guard source.path(at: target.provider) == nil else { return }
        try await requireApart(folders: source, target, as: target)
    }

    private func requireApart(
        folders source: TransferEndpoint, _ target: TransferEndpoint, as item: TransferEndpoint
    ) async throws {
        let pair = [Folder(source), Folder(target)]
        let answer = answers[pair] ?? Task { try await Self.areOne(source, target) }
        answers[pair] = answer
        do {
            if try await !answer.value { return }
        } catch {
            // It may be found out yet.
            answers[pair] = nil
            throw error
        }
        throw FileError.sameItem(item.path)
    }

    private static func areOne(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws -> Bool {
        let name = TemporaryName.random()
        let probe = source.path.appending(name)
        let seen: Result<Bool, any Error>
        do {
            try await source.provider.writeContents(path: probe, contents: Data())
            _ = try await target.provider.attributesOfItem(path: target.path.appending(name))
            seen = .success(true)
        } catch {
            seen = error.isNoSuchFile ? .success(false) : .failure(error)
        }
        // Also where its reply was lost.
        do { try await source.provider.removeItem(path: probe) } catch  where error.isNoSuchFile {}
        return try seen.get()
    }
}
