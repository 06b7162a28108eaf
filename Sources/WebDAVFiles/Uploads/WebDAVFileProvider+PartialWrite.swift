import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: FileProviderPartialWrite {
    /// Begins a file, or continues one, in the way that the server supports: in place under a temporary name next to
    /// the final one, in parts, or by TUS.
    ///
    /// - Throws: `.featureUnsupported` for a server without partial writes, and with TUS for a file of unknown length.
    public func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        try checkWritable(path)
        let family = try await family(near: path)
        switch family.partialWrite {
        case nil: throw FileError.unsupported(path, "this server cannot continue a file")
        case .inPlace(let method):
            return try await beginInPlace(path, length, state, method, in: context)
        case .chunks:
            let cloud = try await cloud(path, "uploads in parts")
            try family.checkName(path)
            if let saved = saved(ChunkedUpload.Saved.self, in: state), saved.path == path, saved.length == length,
                let upload = try await ChunkedUpload(resuming: saved, self, cloud)
            {
                return upload
            }
            return try await ChunkedUpload(path, length: length, self, cloud)
        case .tus:
            try family.checkName(path)
            let upload = try await beginUploadSession(path: path, length: length, resuming: state, in: context)
            return TUSUpload(path, upload, self)
        }
    }

    private func beginInPlace(
        _ path: ItemPath, _ length: Int64?, _ state: ResumableUpload.State?, _ method: ServerFamily.InPlaceWrite,
        in context: OperationContext
    ) async throws -> any ResumableUpload {
        guard let parent = path.parent else { throw FileError.isADirectory(path, writing: true) }
        let family = try await family(near: path)
        try family.checkName(path)
        try family.checkDestination(path)
        try MoveIntoPlace.check(path, on: self)
        if let saved = saved(DAVPartialUpload.Saved.self, in: state), saved.path == path, saved.length == length,
            let present = try await itemIfPresent(saved.temporary), let size = present.size
        {
            return DAVPartialUpload(provider: self, saved: saved, method: method, length: length, acknowledged: size)
        }
        let saved = DAVPartialUpload.Saved(
            path: path, temporary: parent.appending(TemporaryName.make()), length: length)
        let upload = DAVPartialUpload(provider: self, saved: saved, method: method, length: length, acknowledged: 0)
        try await upload.create(in: context)
        return upload
    }

    private func saved<Saved: Decodable>(_ type: Saved.Type, in state: ResumableUpload.State?) -> Saved? {
        state.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
