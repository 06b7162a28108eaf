import FileProviding
import Foundation
import Glibc

extension LocalFileProvider {
    /// Performs an operation. A directory is copied completely or not at all: it gets its name only when everything in
    /// it has been copied.
    ///
    /// A move to another file system copies the item, flushes the copy to the medium and then removes the original;
    /// with `OperationOptions.renamesOnly` it is refused.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        switch operation {
        case .create(let path): return try await create(path, context.options)
        case .copy(let source, let path): return try await copy(source, to: path, context.options)
        case .move(let source, let path): return try await move(source, to: path, context.options)
        case .remove(let path):
            try await remove(path, context.options)
            return nil
        case .link(let path, let target): return try link(path, to: target, context.options)
        case .modify, .fetch, .upload, .download: return try await defaultPerform(operation, in: context)
        }
    }

    private func create(_ path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        guard !path.isRoot else { return try attributes(path) }
        let place = try about(path, writing: true) {
            try root.place(of: path, creatingParents: options.createsParents)
        }
        return try about(path, writing: true) {
            do throws(Errno) {
                // The directory must not be accessible to others in the meantime.
                let permissions = options.attributes.permissions.map { mode_t($0) & 0o777 | 0o700 } ?? 0o777
                try place.directory.makeDirectory(place.name, permissions: permissions)
            } catch {
                // A link that leads to a directory counts as one here.
                guard error.code == EEXIST, (try? root.directory(path)) != nil else { throw error }
                return try attributes(path)
            }
            let directory = try place.directory.openDirectory(place.name)
            if let permissions = options.attributes.permissions { try directory.setPermissions(mode_t(permissions)) }
            if let time = options.attributes.modificationTime { try directory.setModificationTime(time) }
            if options.flush { try place.directory.flushEntries() }
            return FileObject(path: path, status: try directory.status())
        }
    }

    private func link(_ path: ItemPath, to target: LinkTarget, _ options: OperationOptions) throws -> FileObject {
        try about(path, writing: true) {
            let place = try root.place(of: path, creatingParents: options.createsParents)
            try place.directory.makeLink(place.name, to: target)
            if options.flush { try place.directory.flushEntries() }
            return FileObject(path: path, status: try place.status(), link: target)
        }
    }

    private func remove(_ path: ItemPath, _ options: OperationOptions) async throws {
        let (place, status) = try source(path, writing: true)
        if let expected = options.expecting, !expected.matches(FileObject(path: path, status: status)) {
            throw FileError.changed(path)
        }
        if options.onlyIfEmpty, status.isDirectory {
            return try about(path, writing: true) { try place.directory.removeDirectory(place.name) }
        }
        try await LocalThreads.run(unless: !status.isDirectory) {
            // A leftover of an interrupted copy may contain read-only folders.
            let removal = TreeRemoval(opensDirectories: TemporaryName.isOurs(place.name))
            try removal.remove(place.name, in: place.directory, path: path)
        }
    }

    /// Returns an item that is to be changed; if it is a link, the link itself.
    func source(_ path: ItemPath, writing: Bool) throws -> (place: Place, status: Status) {
        guard !path.isRoot else {
            throw FileError.isRoot(path)
        }
        return try about(path, writing: writing) {
            let place = try root.place(of: path)
            let status = try place.status()
            guard status.isDirectory || !path.namesDirectory else { throw Errno(ENOENT) }
            return (place, status)
        }
    }
}
