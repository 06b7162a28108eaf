import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: FileProviderPartialWrite {
    /// Begins a file under a temporary name beside its final one, or goes on with one.
    ///
    /// - Throws: `.featureUnsupported` for a server without partial writes.
    public func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        try checkWritable(path)
        guard let method = try await family(near: path).partialWrite else {
            throw FileError.unsupported(path, "this server cannot continue a file")
        }
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        if let state, let saved = try? JSONDecoder().decode(DAVPartialUpload.Saved.self, from: state),
            saved.path == path,
            saved.length == length, let present = try await itemIfPresent(saved.temporary), let size = present.size
        {
            return DAVPartialUpload(provider: self, saved: saved, method: method, length: length, acknowledged: size)
        }
        let saved = DAVPartialUpload.Saved(
            path: path, temporary: parent.appending(TemporaryName.make()), length: length)
        let upload = DAVPartialUpload(provider: self, saved: saved, method: method, length: length, acknowledged: 0)
        try await upload.create(in: context)
        return upload
    }
}
