import FileProviding
import Foundation

/// A source's bytes on their way through this process: hashed and slowed down where that is wanted.
struct SourceStream {
    let source: TransferEndpoint
    let item: FileObject
    let hasher: StreamHasher?
    let bandwidth: RateLimiter?

    /// Whether the bytes may take any way: nobody looks at them, nobody counts them.
    var isPlain: Bool { hasher == nil && bandwidth == nil }

    /// The bytes from `offset` on; opened anew when a failed write is repeated.
    ///
    /// - Parameter isConfirmed: whether the last bytes come only once ``confirm()`` has passed: who has all of them gives them
    ///   their name.
    func stream(from offset: Int64 = 0, isConfirmed: Bool = false) -> ByteStream {
        let context = OperationContext(options: reading)
        return ByteStream(length: item.size.map { $0 - offset }) {
            let contents = try await source.provider.read(
                path: source.path, range: offset == 0 ? .all : .from(offset), in: context)
            hasher?.begin(at: offset)
            let next = try await contents.bytes.begin()
            let position = Locked(offset)
            return {
                guard let chunk = try await next() else { return nil }
                hasher?.update(chunk)
                try await bandwidth?.pass(Double(chunk.count))
                let end = position.withLock { position in
                    position += Int64(chunk.count)
                    return position
                }
                if isConfirmed, end == item.size { try await confirm() }
                return chunk
            }
        }
    }

    /// The bytes from `offset` on as those of an open local file, where the source is one and nothing looks at the bytes.
    func localStream(from offset: Int64 = 0) async throws -> ByteStream? {
        guard isPlain, let local = source.provider as? any FileProviderLocalAccess else {
            return nil
        }
        let file = try await local.openLocalFile(path: source.path)
        let end = max(offset, try file.size())
        let expected = item.isRegularFile ? (path: source.path, version: item.version) : nil
        let slice = ByteStream.LocalFileSlice(file: file, range: offset..<end, expected: expected)
        try slice.confirm()
        return ByteStream(slice)
    }

    /// Makes sure that a large file was one version while it was read. A local one's reading has seen to that; any other is
    /// looked at again, since a tag is compared only when the reading begins.
    func confirm() async throws {
        guard item.isRegularFile, item.size != nil, !(source.provider is any FileProviderLocalAccess) else { return }
        let now = try await source.provider.attributesOfItem(path: source.path)
        guard item.version.matches(now) else { throw FileError.changed(source.path) }
    }

    /// Reads only while the source is the version that was listed.
    var reading: OperationOptions { OperationOptions(expecting: item.size == nil ? nil : item.version) }
}
