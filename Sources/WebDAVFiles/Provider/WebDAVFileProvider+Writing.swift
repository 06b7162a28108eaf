import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider {
    /// One conditional PUT where the server's PUT is atomic; elsewhere PUT to a temporary name, then MOVE.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        try checkWritable(path)
        let family = try await family(near: path)
        try await confirmExpected(path, context.options)
        let lock = try await lockIfAsked(path)
        do {
            let file: FileObject =
                if family.putIsAtomic, context.options.overwrite || family.honoursIfNoneMatch {
                    try await put(path, source, lock, context)
                } else if family.cuts(path), family.honoursIfNoneMatch, !context.options.overwrite {
                    try await putNew(path, source, lock, context)
                } else {
                    try await putAndMove(path, source, lock, family, context)
                }
            try await release(lock)
            return file
        } catch {
            try? await release(lock)
            throw error
        }
    }

    private func confirmExpected(_ path: ItemPath, _ options: OperationOptions) async throws {
        guard let expected = options.expecting else { return }
        let present = try await attributesOfItem(path: path)
        guard expected.matches(present) else { throw FileError.changed(path) }
    }

    private func put(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ context: OperationContext
    ) async throws -> FileObject {
        var request = try request(
            for: .modify(path), overwrite: context.options.overwrite, attributes: context.options.attributes)
        if let etag = context.options.expecting?.etag, !etag.isWeak { request.headers["If-Match"] = etag.rawValue }
        if let lock { request.headers["If"] = "(<\(lock.token)>)" }
        return try await withParents(of: path, source, context) {
            let (response, size) = try await upload(source, with: request, for: .modify(path), in: context)
            return written(path, size, response, context.options.attributes)
        }
    }

    /// For a new name that can be written but not moved to: what a failed PUT left is taken away again.
    private func putNew(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ context: OperationContext
    ) async throws -> FileObject {
        do {
            return try await put(path, source, lock, context)
        } catch where !error.isFileExists && !error.isNoSuchFile && !error.isADirectory {
            await discard(path)
            throw error
        }
    }

    private func putAndMove(
        _ path: ItemPath, _ source: ByteStream, _ lock: HeldLock?, _ family: ServerFamily, _ context: OperationContext
    ) async throws -> FileObject {
        try family.checkDestination(path)
        if context.options.overwrite || source.length.map({ $0 > 1 << 20 }) ?? true {
            try await checkTarget(path, overwrite: context.options.overwrite)
        }
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        let temporary = parent.appending(TemporaryName.make())
        var attributes = context.options.attributes
        attributes.contentType = nil
        let request = try request(for: .modify(temporary), overwrite: true, attributes: attributes)
        do {
            var file = try await withParents(of: path, source, context) {
                let (response, size) = try await upload(source, with: request, for: .modify(path), in: context)
                return written(path, size, response, attributes)
            }
            try await moveIntoPlace(temporary, path, lock, overwrite: context.options.overwrite)
            if !family.keepsETagOnMove { file.etag = nil }
            return file
        } catch {
            await discard(temporary)
            throw error
        }
    }

    /// A file may replace a file; with `Overwrite: T` a server would replace a whole collection too.
    func checkTarget(_ path: ItemPath, overwrite: Bool) async throws {
        guard let existing = try await itemIfPresent(path) else { return }
        if existing.isDirectory { throw FileError.isADirectory(path, writing: true) }
        if !overwrite { throw FileError.exists(path) }
    }

    func moveIntoPlace(_ temporary: ItemPath, _ path: ItemPath, _ lock: HeldLock?, overwrite: Bool) async throws {
        var request = try request(
            for: .move(source: temporary, destination: path), overwrite: overwrite, attributes: ItemAttributes())
        if let lock { request.headers["If"] = "<\(url(of: path).absoluteString)> (<\(lock.token)>)" }
        try await send(request, for: .modify(path))
    }

    /// Takes a temporary file away, also when the task was cancelled meanwhile.
    func discard(_ temporary: ItemPath) async {
        let session = session
        guard let request = try? request(for: .remove(temporary), overwrite: false, attributes: ItemAttributes()) else { return }
        await Task { _ = try? await session.data(for: request) }.value
    }

    private func written(
        _ path: ItemPath, _ size: Int64, _ response: HTTPResponse, _ attributes: ItemAttributes
    ) -> FileObject {
        var file = writtenItem(path: path, size: size, response: response)
        if response.headers["X-OC-Mtime"]?.lowercased() == "accepted", let time = attributes.modificationTime {
            file.modificationTime = FileTime(seconds: time.seconds)
        }
        return file
    }

    /// Does it again with the parents in place, when that was what was missing and the bytes can be had again.
    private func withParents(
        of path: ItemPath, _ source: ByteStream, _ context: OperationContext, _ work: () async throws -> FileObject
    ) async throws -> FileObject {
        do {
            return try await work()
        } catch where error.isNoSuchFile && context.options.createsParents && source.isReplayable {
            guard let parent = path.parent else { throw error }
            try await perform(.create(parent), in: context)
            return try await work()
        }
    }
}
