import FileProviding
import Foundation

extension SFTPFileProvider {
    /// Writes a small file in three round trips: open, write and close, rename. A replaced file's permissions are kept;
    /// a link is replaced itself. A server that refuses to set times or permissions keeps the file without them.
    public func write(
        path: ItemPath, from source: ByteStream, in context: OperationContext
    ) async throws -> FileObject {
        try await session.withClientForFile { client in
            if let file = source.localFile { client.pool.prepare(for: Int64(file.range.count), client.traits) }
            let tree = try await tree(over: client)
            return try await stage(path, length: source.length, in: tree, context.options).receive(source, in: context)
        }
    }

    /// Begins a file, and creates its parents if that is requested and necessary.
    ///
    /// - Parameter length: the number of bytes that will be written, if known.
    func stage(
        _ path: ItemPath, length: Int64? = nil, in tree: RemoteTree, _ options: OperationOptions
    ) async throws -> StagedFile {
        do {
            return try await StagedFile(tree, path, length: length, options)
        } catch  where error.isNoSuchFile && options.createsParents && !path.namesDirectory {
            guard let parent = path.parent else { throw error }
            try await tree.createParents(parent)
            return try await StagedFile(tree, path, length: length, options)
        }
    }
}
