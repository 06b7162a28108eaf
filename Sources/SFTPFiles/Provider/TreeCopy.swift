import FileProviding
import Foundation

/// Copies a directory on the server: into a hidden directory next to the final one, which is renamed at the end.
struct TreeCopy {
    let tree: RemoteTree
    let options: OperationOptions

    /// The number of files copied at the same time.
    private static let width = 8

    func run(_ source: ItemPath, _ item: FileObject, to path: ItemPath) async throws -> FileObject {
        let target = path.asItem
        guard let parent = target.parent else { throw FileError.exists(path) }
        let temporary = parent.appending(TemporaryName.make())
        do {
            let directories = try await copy(source, item, to: temporary)
            // Only now: in a directory that nobody may write in, nothing could be removed after a failure.
            for (place, attributes) in directories { _ = try await tree.client.call(.setstat(place, attributes)) }
            try await tree.putInPlace(tree.bytes(temporary), tree.bytes(target), target, overwrite: false)
            return try await tree.attributes(target)
        } catch {
            let tree = tree
            await Task { try? await tree.remove(temporary) }.value
            guard error.isNoSuchFile, try await tree.attributesIfPresent(parent) == nil else { throw error }
            throw FileError.noSuchFile(path, writing: true)
        }
    }

    /// - Returns: the copied directories, each behind those in it, and the attributes that they are to have.
    private func copy(
        _ source: ItemPath, _ item: FileObject, to target: ItemPath
    ) async throws -> [(place: [UInt8], attributes: SFTPAttributes)] {
        // Closed to others until it is complete, and accessible to us whatever the original's permissions are.
        let begun = OperationOptions(attributes: ItemAttributes(permissions: 0o700))
        _ = try await tree.create(target, begun)
        let entries = try await tree.entries(in: tree.bytes(source), source)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, entry) in entries.filter({ !$0.isDirectory }).enumerated() {
                if index >= Self.width { try await group.next() }
                group.addTask { try await copy(entry, to: target.appending(entry.itemName)) }
            }
            try await group.waitForAll()
        }
        var directories: [(place: [UInt8], attributes: SFTPAttributes)] = []
        for directory in entries where directory.isDirectory {
            directories += try await copy(directory.path, directory, to: target.appending(directory.itemName))
        }
        let carried = SFTPAttributes(
            permissions: options.permissions(ofCopyOf: item), modificationTime: item.modificationTime)
        return directories + [(try tree.bytes(target), carried)]
    }

    private func copy(_ entry: FileObject, to target: ItemPath) async throws {
        if entry.isSymLink {
            guard let link = entry.linkTarget else {
                // It has disappeared since it was listed; there is nothing to report.
                guard try await tree.attributesIfPresent(entry.path) != nil else { return }
                throw cocoaError(
                    entry.path, code: .fileReadUnknown, reason: "the server does not tell where the link leads")
            }
            _ = try await tree.link(target, to: link, OperationOptions())
            let times = SFTPAttributes(modificationTime: entry.modificationTime)
            if tree.client.traits.offers(.lsetstat), !times.flags.isEmpty {
                _ = try await tree.client.call(.lsetstat(tree.bytes(target), times))
            }
            return
        }
        let place = try tree.bytes(target)
        let handle = try await about(target, writing: true) {
            try await tree.client.call(.open(place, [.write, .create, .exclusive])).handle()
        }
        let carried = SFTPAttributes(
            permissions: options.permissions(ofCopyOf: entry), modificationTime: entry.modificationTime)
        let calls = tree.client.finishing(handle, carried, flush: options.flush)
        var isClosed = false
        do {
            let length = try await tree.copyBytes(entry.path, entry, to: handle, about: target)
            let replies = try await tree.client.callAll(calls) { isClosed = true }
            _ = try await tree.client.finished(replies, carried, length: length, at: place)
        } catch {
            if !isClosed { tree.client.forget(.close(handle)) }
            throw await tree.explained(error, writing: target)
        }
    }
}
