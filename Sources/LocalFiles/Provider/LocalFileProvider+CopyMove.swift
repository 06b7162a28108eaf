import FileProviding
import Foundation
import Glibc

extension LocalFileProvider {
    func copy(_ source: ItemPath, to path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        let (place, status) = try self.source(source, writing: false)
        let destination = try Destination(path, in: root, options: options)
        try refuseSameItem(status, destination)
        try destination.admit(directory: status.isDirectory)
        let copy = TreeCopy(keepsOwner: options.keepsOwner, flushes: options.flush, mostBytes: options.mostBytes)
        let isShort = !status.isDirectory && LocalThreads.isShort(status.size) && !options.flush
        var item = try await LocalThreads.run(unless: isShort) {
            try await self.copy(place, status, source, to: destination, copy, options)
        }
        if item.isDirectory { item[.copiedBytes] = copy.bytes }
        return item
    }

    func move(_ source: ItemPath, to path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        let (place, status) = try self.source(source, writing: true)
        return try await move(place, status, source, to: try Destination(path, in: root, options: options), options)
    }

    /// Moves an item, which may lie outside the root, as in a trash.
    func move(
        _ place: Place, _ status: Status, _ source: ItemPath, to destination: Destination, _ options: OperationOptions
    ) async throws -> FileObject {
        if !isSameUnderAnotherCase(place, status, destination) {
            try refuseSameItem(status, destination)
            try destination.admit(directory: status.isDirectory)
        }
        // The file was verified next to the one that it replaces.
        if let replaced = destination.replaced, status.isRegularFile, TemporaryName.isOurs(place.name),
            !options.keepsOwner
        {
            try about(destination.path, writing: true) {
                try place.directory.open(place.name).succeed(replaced, at: destination.place)
            }
        }
        do throws(Errno) {
            let replaces = destination.existing != nil || (options.overwrite && !status.isDirectory)
            try place.directory.rename(
                place.name, to: destination.place.directory, as: destination.place.name, replacing: replaces)
        } catch {
            guard error.code == EXDEV else { throw localError(destination.path, error, writing: true) }
            guard !options.renamesOnly else {
                throw FileError.unsupported(destination.path, "a new name on another file system")
            }
            return try await moveAcrossFileSystems(place, status, source, to: destination, options)
        }
        return try about(destination.path, writing: true) {
            if options.flush {
                try destination.place.directory.flushEntries()
                try place.directory.flushEntries()
            }
            let status = try destination.place.status()
            let link = status.isLink ? try destination.place.directory.linkTarget(of: destination.place.name) : nil
            return FileObject(path: destination.path, status: status, link: link)
        }
    }

    private func moveAcrossFileSystems(
        _ place: Place, _ status: Status, _ source: ItemPath, to destination: Destination, _ options: OperationOptions
    ) async throws -> FileObject {
        var options = options
        options.flush = true
        return try await LocalThreads.run { [options] in
            let copy = TreeCopy(keepsOwner: true, flushes: true)
            let moved = try await self.copy(place, status, source, to: destination, copy, options)
            // Items that were added or changed since then exist nowhere else.
            try TreeRemoval().remove(
                place.name, in: place.directory, path: source, copiedTo: destination.place)
            return moved
        }
    }

    /// Copies under a temporary name, then renames.
    private func copy(
        _ place: Place, _ status: Status, _ source: ItemPath, to destination: Destination, _ copy: TreeCopy,
        _ options: OperationOptions
    ) async throws -> FileObject {
        if status.isRegularFile { return try await copyFile(place, source, to: destination, copy, options) }
        let directory = destination.place.directory
        let temporary = TemporaryName.make()
        let side = TreeCopy.Side(directory: place.directory, path: source.parent ?? .root)
        do {
            try await copy.copy(place.name, of: side, to: directory, as: temporary, path: destination.path)
            try destination.checkAgain()
            return try about(destination.path, writing: true) {
                try directory.rename(
                    temporary, to: directory, as: destination.place.name,
                    replacing: options.overwrite && !status.isDirectory)
                if options.flush { try directory.flushEntries() }
                return try attributes(destination.path)
            }
        } catch {
            // The copied folders may be read-only.
            let removal = TreeRemoval(ignoresCancellation: true, opensDirectories: true)
            try? removal.remove(temporary, in: directory, path: destination.path)
            throw error
        }
    }

    private func copyFile(
        _ place: Place, _ source: ItemPath, to destination: Destination, _ copy: TreeCopy, _ options: OperationOptions
    ) async throws -> FileObject {
        let original = try await place.directory.openAwaitingLease(place.name, path: source)
        let new = try about(destination.path, writing: true, reading: source) {
            let status = try original.status()
            guard status.isRegularFile else { throw ReadFailure(cause: Errno(ESTALE)) }
            let new = try NewFile(in: destination.place.directory, isPrivate: true)
            try copy.fill(new.file, from: original, status)
            try copy.finish(new.file, like: original, status, replacing: copy.keepsOwner ? nil : destination)
            return new
        }
        try Task.checkCancellation()
        return try new.publish(at: destination, options)
    }

    /// Refuses to copy or move an item onto itself, under whatever name, or a directory into itself.
    private func refuseSameItem(_ status: Status, _ destination: Destination) throws {
        if destination.existing?.identity == status.identity { throw FileError.sameItem(destination.path) }
        guard status.isDirectory else { return }
        try about(destination.path, writing: true) {
            let top = try root.directory.status().identity
            if try destination.place.directory.isInside(status.identity, below: top) {
                throw FileError.intoItself(destination.path)
            }
        }
    }

    /// Returns whether a case-insensitive file system already finds the item itself under its new name.
    private func isSameUnderAnotherCase(_ place: Place, _ status: Status, _ destination: Destination) -> Bool {
        guard destination.existing?.identity == status.identity, place.name != destination.place.name,
            status.isDirectory || status.linkCount == 1,
            let here = try? place.directory.status(), let there = try? destination.place.directory.status()
        else { return false }
        return here.identity == there.identity
    }
}

extension Directory {
    /// Returns whether the directory is this one or lies somewhere below it; searches no higher than `top`.
    fileprivate func isInside(_ identity: FileIdentity, below top: FileIdentity) throws(Errno) -> Bool {
        var directory = self
        var current = try status().identity
        while current != identity {
            if current == top { return false }
            directory = try directory.parent()
            let above = try directory.status().identity
            if above == current { return false }
            current = above
        }
        return true
    }
}

extension LocalFileProvider: RenameForeseeing {
    /// Returns whether one mounted file system has both the item and the directory of its new path.
    package func canRename(_ source: ItemPath, to path: ItemPath) throws -> Bool {
        let (_, status) = try self.source(source, writing: true)
        let folder = try Destination(path, in: root, options: OperationOptions()).place.directory
        let other = try about(path, writing: true) { try folder.status() }
        return (status.mount, status.device) == (other.mount, other.device)
    }
}
