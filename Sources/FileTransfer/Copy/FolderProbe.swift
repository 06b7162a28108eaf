import FileProviding
import Foundation

/// Determines whether a source and an existing target are the same item under two addresses: a server with two names,
/// or a folder and the server that shows it. Moving an item onto itself would remove the only copy, and verification
/// would not notice.
///
/// A file that is briefly put into the source's folder appears in the target's folder if they are the same; each pair
/// of folders is checked once.
package actor FolderProbe {
    private struct Folder: Hashable {
        let storage: ProviderIdentity
        let path: ItemPath

        init(_ endpoint: TransferEndpoint) { (storage, path) = (endpoint.provider.identity, endpoint.path.asItem) }
    }

    private var answers: [[Folder]: Task<Bool, any Error>] = [:]

    /// Creates a probe without any results.
    package init() {}

    /// Throws if source and target are the same item.
    ///
    /// - Throws: ``FileError/sameItem(_:)`` when they are the same; whatever prevents finding out.
    package func requireApart(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws {
        // Within one storage the paths are enough to tell. Two names in one folder are two items, except for names that
        // some storages treat as the same.
        guard source.path(at: target.provider) == nil, let mine = source.path.parent, let theirs = target.path.parent,
            source.path.lastComponent?.text.lowercased() == target.path.lastComponent?.text.lowercased()
        else { return }
        try await requireApart(
            folders: TransferEndpoint(source.provider, mine), TransferEndpoint(target.provider, theirs), as: target)
    }

    /// Throws if two folders are the same.
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
            // A later attempt may still find out.
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
        // Even if its reply was lost.
        do { try await source.provider.removeItem(path: probe) } catch  where error.isNoSuchFile {}
        return try seen.get()
    }
}
