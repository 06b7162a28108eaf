import FileProviding
import Foundation

/// Receives what a mirror replaces or removes, under its original path.
struct Backup: Sendable {
    let folder: TransferEndpoint
    /// The base of the paths within the backup.
    private let root: Locked<ItemPath>

    /// - Throws: if the folder is on another storage than the destination, or if it and the source or the destination
    ///   are one inside the other.
    init?(_ plan: TransferPlan) async throws {
        guard let folder = plan.options.mirror?.backup, let job = plan.jobs.first else { return nil }
        let target = job.target
        guard let path = folder.path(at: target) else {
            throw cocoaError(
                folder.path, code: .fileWriteUnknown, reason: "a backup folder has to be on the destination's storage")
        }
        for end in [job.source, target] {
            guard try await folder.isApart(from: end) else {
                throw cocoaError(
                    folder.path, code: .fileWriteUnknown,
                    reason: "a backup folder has to be apart from the source and the destination")
            }
        }
        if let present = try? await target.provider.attributesOfItem(path: path), present.type == .regular {
            throw FileError.notADirectory(folder.path, writing: true)
        }
        self.folder = target.at(path)
        root = Locked(target.path)
    }

    /// Records that the destination turned out to have another name, as mapped names do.
    func follow(_ path: ItemPath) { root.withLock { $0 = path } }

    /// Adds an item. A file replaces an older one there, a folder is merged with an older one; if one meets the other,
    /// the item gets a numbered name.
    ///
    /// - Parameter copying: whether the item also stays, because it is about to be replaced atomically.
    func keep(_ item: FileObject, copying: Bool) async throws {
        guard let relative = item.path.relative(to: root.withLock { $0 }) else {
            throw cocoaError(
                item.path, code: .fileWriteUnknown, reason: "it cannot be kept: it is outside the destination")
        }
        let goal = folder.path.appending(relative)
        if let parent = goal.parent, !parent.isRoot {
            try await folder.provider.step(.create(parent), OperationOptions(createsParents: true))
        }
        try await keep(item, as: goal, copying: copying)
    }

    private func keep(_ item: FileObject, as goal: ItemPath, copying: Bool) async throws {
        let provider = folder.provider
        do {
            try await provider.step(
                copying
                    ? .copy(source: item.path, destination: goal) : .move(source: item.path, destination: goal),
                OperationOptions(overwrite: true))
        } catch let error as CocoaError {
            guard let present = try? await provider.attributesOfItem(path: goal),
                present.isDirectory || item.isDirectory
            else { throw error }
            guard present.isDirectory, item.isDirectory else {
                return try await keep(item, as: numbered(goal), copying: copying)
            }
            for entry in try await provider.contentsOfDirectory(path: item.path.asDirectory) {
                try await keep(entry, as: goal.appending(entry.itemName), copying: copying)
            }
            // Whatever somebody else has put into it in the meantime stays.
            try await provider.removeIfEmpty(item.path)
        }
    }

    /// Returns the name with the first number that is free, in the form of GNU's numbered backups.
    private func numbered(_ path: ItemPath) async throws -> ItemPath {
        guard let name = path.lastComponent, let parent = path.parent else { throw FileError.exists(path) }
        var number = 1
        while true {
            let candidate = parent.appending(try ItemName(validating: name.bytes + Array(".~\(number)~".utf8)))
            do { _ = try await folder.provider.attributesOfItem(path: candidate) } catch  where error.isNoSuchFile {
                return candidate
            }
            number += 1
        }
    }
}

extension TransferEndpoint {
    /// Returns whether neither item is the other or inside it, links resolved.
    fileprivate func isApart(from other: TransferEndpoint) async throws -> Bool {
        let (mine, its) = (
            try await LinkResolution.realEndpoint(self), try await LinkResolution.realEndpoint(other)
        )
        // A path that is above the other provider's root can be told from here only.
        if let path = mine.path(at: its), path.isInside(its.path) || its.path.isInside(path) { return false }
        if let path = its.path(at: mine), path.isInside(mine.path) || mine.path.isInside(path) { return false }
        return true
    }
}
