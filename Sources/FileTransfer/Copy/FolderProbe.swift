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
        guard source.path(at: target) == nil, let mine = source.path.parent, let theirs = target.path.parent,
            source.path.lastComponent?.text.lowercased() == target.path.lastComponent?.text.lowercased()
        else { return }
        try await requireApart(folders: source.at(mine), target.at(theirs), as: target)
    }

    /// Throws if two folders are the same.
    package func requireApart(folders source: TransferEndpoint, _ target: TransferEndpoint) async throws {
        guard source.path(at: target) == nil else { return }
        try await requireApart(folders: source, target, as: target)
    }

    /// Throws if the target is the source folder or inside it, under another address: the copy would find its own
    /// output and never end.
    func requireOutside(_ job: TransferPlan.Job, existing: FileObject?) async throws {
        guard let twin = try await twin(of: job.target, existing, in: job.source, job.item) else { return }
        let isItself = existing != nil && twin.path.asItem == job.source.path.asItem
        throw isItself ? FileError.sameItem(job.target.path) : FileError.intoItself(job.target.path)
    }

    /// Throws if the source is inside an existing target that is to lose what the source does not have, under another
    /// address.
    func requireSourceOutside(_ job: TransferPlan.Job, _ existing: FileObject) async throws {
        // Another probe may have changed its time.
        let source = try await job.source.provider.attributesOfItem(path: job.source.path)
        guard try await twin(of: job.source, source, in: job.target, existing) != nil else { return }
        throw cocoaError(
            job.source.path, code: .fileWriteUnknown,
            reason: "it lies in what is to mirror it, and would be removed there")
    }

    /// Returns the folder that `target`, or its parent if it does not exist, is under another address: the source, or
    /// one below it. Compares only folders with the same modification time, and only if a probe file can be written to
    /// one of them.
    private func twin(
        of target: TransferEndpoint, _ existing: FileObject?, in source: TransferEndpoint, _ item: FileObject
    ) async throws -> FileObject? {
        guard source.path(at: target) == nil, !source.path.isIdentifier else { return nil }
        let path = existing == nil ? target.path.parent ?? .root : target.path.asItem
        let place = target.at(path)
        var present = existing
        if present == nil { present = try? await place.provider.attributesOfItem(path: path) }
        guard let time = present?.modificationTime else { return nil }
        let mine = try await source.provider.characteristics(path: source.path)
        let precision = try await place.provider.characteristics(path: path).precision(of: time)
        for twin in [item] + (await Self.twins(of: place, in: source)) {
            guard twin.isDirectory, let other = twin.modificationTime,
                time.isWithin(max(precision, mine.precision(of: other)), of: other)
            else { continue }
            // If one of the two is on this machine, the probe file is written there.
            var ends = (source.at(twin.path.asItem), place)
            if place.provider is any FileProviderLocalAccess { ends = (ends.1, ends.0) }
            let (near, far) = ends
            // Even when the task is cancelled in the meantime: the probe file must not stay.
            if (try? await Self.probed(near, far)) == true { return twin }
        }
        try Task.checkCancellation()
        return nil
    }

    /// Returns the folders below the source whose relative path is the target's path or the end of it.
    ///
    /// What the folders of another machine are called is not the source's business: it is asked only for those that
    /// begin with a name that it lists itself.
    private static func twins(of place: TransferEndpoint, in source: TransferEndpoint) async -> [FileObject] {
        let names = place.path.components
        var depths = Array(names.indices)
        if !source.provider.isOnThisMachine {
            let entries = (try? await source.provider.contentsOfDirectory(path: source.path.asDirectory)) ?? []
            let folders = Set(entries.lazy.filter(\.isDirectory).map(\.itemName))
            depths = depths.filter { folders.contains(names[$0]) }
        }
        return await withTaskGroup(of: FileObject?.self) { group in
            for depth in depths {
                let path = names[depth...].reduce(source.path.asItem) { $0.appending($1) }
                group.addTask { try? await source.provider.attributesOfItem(path: path) }
            }
            return await group.reduce(into: []) { found, item in if let item { found.append(item) } }
        }
    }

    private func requireApart(
        folders source: TransferEndpoint, _ target: TransferEndpoint, as item: TransferEndpoint
    ) async throws {
        let pair = [Folder(source), Folder(target)]
        let answer = answers[pair] ?? Task { try await Self.probed(source, target) }
        answers[pair] = answer
        do {
            let isOne = try await withTaskCancellationHandler {
                try await answer.value
            } onCancel: {
                answer.cancel()
            }
            if !isOne { return }
        } catch {
            // A later attempt may still find out.
            answers[pair] = nil
            throw error
        }
        throw FileError.sameItem(item.path)
    }

    private static func probed(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws -> Bool {
        try await shielded(grace: .seconds(5)) { try await areOne(source, target) }
    }

    private static func areOne(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws -> Bool {
        let hidden = TemporaryName.random()
        do { return try await areOne(source, target, by: hidden) } catch let error as CocoaError
            where error.code == .fileWriteInvalidFileName
        {
            // Some servers have no names that begin with a dot.
            return try await areOne(source, target, by: TemporaryName.visible(hidden))
        }
    }

    private static func areOne(
        _ source: TransferEndpoint, _ target: TransferEndpoint, by name: ItemName
    ) async throws -> Bool {
        let probe = source.path.appending(name)
        let folder = try? await source.provider.attributesOfItem(path: source.path.asDirectory)
        let seen: Result<Bool, any Error>
        do {
            _ = try await source.provider.write(path: probe, from: ByteStream(Data()))
            _ = try await target.provider.attributesOfItem(path: target.path.appending(name))
            seen = .success(true)
        } catch {
            seen = error.isNoSuchFile ? .success(false) : .failure(error)
        }
        // Even if its reply was lost.
        do { try await source.provider.step(.remove(probe)) } catch  where error.isNoSuchFile {}
        // Where times can be set, nothing shows that there was a probe.
        if let time = folder?.modificationTime, let provider = source.provider as? any AttributeProvider {
            _ = try? await provider.setAttributes(ItemAttributes(modificationTime: time), of: source.path.asDirectory)
        }
        return try seen.get()
    }
}

extension FileProvider {
    /// Whether its items are this machine's, or those of a server on it.
    fileprivate var isOnThisMachine: Bool {
        self is any FileProviderLocalAccess || baseURL?.host(percentEncoded: false).map(Loopback.contains) ?? true
    }
}
