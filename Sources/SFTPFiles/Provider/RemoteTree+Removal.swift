import FileProviding
import Foundation

extension RemoteTree {
    private static let batch = 128

    /// Removes an item: a file by one request, a directory with everything below it. Links are removed, never followed.
    ///
    /// - Parameter options: which version it must have just before, and whether a directory must be empty.
    func remove(_ path: ItemPath, _ options: OperationOptions = OperationOptions()) async throws {
        guard !path.isRoot else {
            throw FileError.isRoot(path)
        }
        // Before the look, so that nothing comes between that and the removal.
        let place = try await place(path)
        if path.namesDirectory || options.expecting != nil {
            let present = try await attributes(path)
            if let expected = options.expecting, !expected.matches(present) { throw FileError.changed(path) }
        }
        if options.onlyIfEmpty, try await removeEmptyDirectory(place, path) { return }
        try await remove([place], names: [path.lastComponent], in: path.parent ?? .root, isTop: true)
    }

    /// Removes a directory of which there is a copy.
    ///
    /// - Throws: that something has changed, if an item was added or changed since it was copied: it then stays,
    ///   together with everything not removed before.
    func removeDirectory(_ path: ItemPath, copiedTo copy: CopiedDirectory) async throws {
        try await removeDirectory(try await place(path), path, copiedTo: copy)
    }

    /// Removes a directory with nothing in it; returns `false` for an item that is no directory.
    private func removeEmptyDirectory(_ place: [UInt8], _ path: ItemPath) async throws -> Bool {
        guard case .status(let status) = try await client.call(.rmdir(place)), status.code != .ok else { return true }
        // Many servers say of a file that there is none.
        do { guard try await client.itself(place).attributes.type == .directory else { return false } } catch let look
            as SFTPStatus
        { throw sftpError(path, look, writing: true) }
        throw try await entries(in: place, path).isEmpty
            ? sftpError(path, status, writing: true) : FileError.notEmpty(path)
    }

    /// Removes items of one directory: tries them all as files, then examines those that failed.
    private func remove(
        _ places: [[UInt8]], names: [ItemName?], in directory: ItemPath, isTop: Bool = false,
        copiedTo copy: CopiedDirectory? = nil
    ) async throws {
        let replies = try await client.callAll(places.map { .remove($0) })
        for (index, reply) in replies.enumerated() {
            guard case .status(let status) = reply, status.code != .ok, let name = names[index] else { continue }
            let path = directory.appending(name)
            if status.code == .noSuchFile {
                // Inside a directory it only means that someone else was faster.
                if isTop { throw sftpError(path, status, writing: true) }
                continue
            }
            guard try await isDirectory(places[index], path, refused: status) else {
                if isTop { throw FileError.noSuchFile(path, writing: true) }
                continue
            }
            try await removeDirectory(places[index], path, copiedTo: copy?.inner(name))
        }
    }

    /// Returns whether an item that could not be removed as a file is a directory; `false` if it has disappeared in the
    /// meantime.
    ///
    /// - Throws: the refusal, if it is not a directory or cannot be looked up.
    private func isDirectory(_ place: [UInt8], _ path: ItemPath, refused status: SFTPStatus) async throws -> Bool {
        do {
            if try await client.itself(place).attributes.type == .directory { return true }
        } catch let look as SFTPStatus {
            if look.code == .noSuchFile { return false }
        }
        throw sftpError(path, status, writing: true)
    }

    private func removeDirectory(
        _ place: [UInt8], _ path: ItemPath, copiedTo copy: CopiedDirectory? = nil
    ) async throws {
        // Usually the second pass finds nothing more; someone may be adding entries in the meantime.
        for _ in 0..<3 {
            let entries = try await entriesIfPresent(in: place, path)
            if let copy, !entries.isEmpty {
                try copy.confirm(entries, are: try await entriesIfPresent(in: bytes(copy.path), copy.path))
            }
            let names = entries.map(\.itemName)
            for begin in stride(from: 0, to: names.count, by: Self.batch) {
                try Task.checkCancellation()
                let part = names[begin..<min(begin + Self.batch, names.count)]
                try await remove(part.map { place.joined($0.bytes) }, names: Array(part), in: path, copiedTo: copy)
            }
            guard case .status(let status) = try await client.call(.rmdir(place)) else { return }
            if status.code == .ok || status.code == .noSuchFile { return }
            if names.isEmpty { throw sftpError(path, status, writing: true) }
        }
        throw cocoaError(path, code: .fileWriteUnknown, reason: "something is put into it again and again")
    }

    /// Returns the entries of a directory that is not reached through a link.
    func entries(in place: [UInt8], _ path: ItemPath) async throws -> [FileObject] {
        let listing = DirectoryListing {
            let reader = DirectoryReader(path) { (self, place) }
            return { try await reader.nextPage() }
        }
        return try await listing.collect()
    }

    private func entriesIfPresent(in place: [UInt8], _ path: ItemPath) async throws -> [FileObject] {
        do { return try await entries(in: place, path) } catch  where error.isNoSuchFile { return [] }
    }
}
