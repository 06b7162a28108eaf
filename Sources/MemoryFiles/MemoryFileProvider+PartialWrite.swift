import FileProviding
import Foundation

extension MemoryFileProvider: FileProviderPartialWrite {
    /// Begins or continues a file that is kept in the store until it is committed, whatever happens to the provider.
    public func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        try store.read { try $0.checkWrite(path, length: length, options: context.options) }
        if let state, let id = String(data: state, encoding: .utf8), let staged = store.upload(id),
            staged.path == path, staged.length == length
        {
            return MemoryUpload(id: id, path: path, length: length, provider: self)
        }
        let id = UUID().uuidString
        store.setUpload(id, MemoryStore.StagedUpload(path: path, length: length))
        return MemoryUpload(id: id, path: path, length: length, provider: self)
    }
}

/// A file being uploaded into a store.
struct MemoryUpload: ResumableUpload {
    let id: String
    let path: ItemPath
    let length: Int64?
    let provider: MemoryFileProvider

    /// The upload's number; the store keeps the rest.
    func saveState() -> Data { Data(id.utf8) }

    var acknowledged: Int64 { provider.store.upload(id).map { Int64($0.data.count) } ?? 0 }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        var total = acknowledged
        context.progress.raise(to: total)
        for try await chunk in bytes {
            try Task.checkCancellation()
            total += Int64(chunk.count)
            if let length, total > length { throw FileError.wrongLength(path, expected: length, got: total) }
            guard provider.store.append(chunk, to: id) != nil else { throw gone }
            context.progress.advance(by: Int64(chunk.count))
        }
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        guard let data = provider.store.upload(id)?.data else { throw gone }
        if let length, Int64(data.count) != length {
            throw FileError.wrongLength(path, expected: length, got: Int64(data.count))
        }
        let file = try provider.store.change { try $0.write(path, data, options: context.options, now: $1) }
        provider.store.setUpload(id, nil)
        return file
    }

    func abort() async throws {
        provider.store.setUpload(id, nil)
    }

    private var gone: CocoaError {
        cocoaError(path, code: .fileWriteUnknown, reason: "the upload has ended already")
    }
}
