import FileProviding
import Foundation

extension SFTPFileProvider {
    /// Performs an operation. Copies are made on the server if it supports `copy-data`. A directory is copied as a
    /// whole or not at all: it appears under its name when everything in it is there.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        switch operation {
        case .create(let path): return try await tree().create(path, context.options)
        case .link(let path, let target):
            guard try await session.hasLinks(session.client()) else {
                throw FileError.unsupported(path, "this server has no symbolic links")
            }
            return try await tree().link(path, to: target, context.options)
        case .remove(let path):
            try await tree().remove(path, context.options)
            return nil
        case .move(let source, let path): return try await move(source, to: path, context.options)
        case .copy(let source, let path): return try await copy(source, to: path, context.options)
        case .modify, .fetch, .upload, .download: return try await defaultPerform(operation, in: context)
        }
    }

    /// Checks a name. A server that does not expose a plain file system may alter control characters.
    public func checkName(ofNew path: ItemPath, isDirectory: Bool) async throws {
        try await tree().checkName(ofNew: path)
    }

    private func move(_ source: ItemPath, to path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        let tree = try await tree()
        let ends = try await tree.ends(source, path, options)
        if let target = ends.item.linkTarget, ends.item.isSymLink, tree.client.traits.renamesTargets {
            let moved = try await tree.copyLink(target, to: path.asItem, replacing: ends.replaces)
            try await tree.remove(source)
            return moved
        }
        do {
            try await tree.putInPlace(
                ends.from, ends.to, path, overwrite: ends.replaces, isLink: ends.item.isSymLink)
            // Renaming one name of a file to another of its names does nothing, and succeeds (POSIX, rename).
            if ends.replaces, try await tree.attributesIfPresent(source) != nil { throw FileError.sameItem(path) }
        } catch let error as CocoaError
            where error.code == .fileWriteUnknown && error.userInfo[NSUnderlyingErrorKey] is POSIXError
        {
            // SFTP has no status code for "another file system"; an error with a known cause is not that.
            guard await tree.mayLieBetweenVolumes(source, path) else { throw error }
            guard !options.renamesOnly else {
                throw FileError.unsupported(path, "a new name on another file system")
            }
            return try await moveByCopying(source, ends.item, to: path, options)
        }
        return ends.item.relocated(to: path.asItem)
    }

    /// Copies, and removes the original once the copy is in its place. Whatever changed in the meantime stays as well.
    private func moveByCopying(
        _ source: ItemPath, _ item: FileObject, to path: ItemPath, _ options: OperationOptions
    ) async throws -> FileObject {
        var copying = options
        copying.keepsOwner = true
        let copied = try await copy(source, to: path, copying)
        let tree = try await tree()
        if item.isDirectory {
            let copy = CopiedDirectory(path: copied.path, keepsTimes: copied.hasTime(of: item))
            try await tree.removeDirectory(source, copiedTo: copy)
        } else {
            guard try await tree.attributes(source).version == item.version else { throw FileError.changed(source) }
            try await tree.remove(source)
        }
        return copied
    }

    private func copy(_ source: ItemPath, to path: ItemPath, _ options: OperationOptions) async throws -> FileObject {
        let tree = try await tree()
        let ends = try await tree.ends(source, path, options)
        switch ends.item.type {
        case .regular, .unknown:
            let staged = try await stage(path.asItem, in: tree, options)
            return try await tree.copyFile(source, ends.item, to: staged, options)
        case .symbolicLink:
            guard let target = ends.item.linkTarget else { throw FileError.noSuchFile(source) }
            return try await tree.copyLink(target, to: path, replacing: ends.replaces)
        case .directory:
            return try await TreeCopy(tree: tree, options: options).run(source, ends.item, to: path)
        }
    }
}

extension SFTPFileProvider: FileProviderSymbolicLink {
    /// Requests READLINK.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> LinkTarget {
        let item = try await tree().attributes(path)
        guard item.isSymLink, let target = item.linkTarget else {
            throw FileError.notALink(path)
        }
        return target
    }
}
