import FileProviding
import Foundation

/// A source's bytes as they pass through this process: hashed and slowed down if requested.
struct SourceStream {
    let source: TransferEndpoint
    let item: FileObject
    let hasher: StreamHasher?
    let bandwidth: RateLimiter?
    /// The file's length, once its end has been read.
    let end = Locked<Int64?>(nil)

    /// Whether the bytes need not pass through this process: they are neither inspected nor slowed down.
    var isPlain: Bool { hasher == nil && bandwidth == nil }

    /// Returns the bytes from `offset` on; the source is opened again when a failed write is repeated.
    ///
    /// - Parameter isConfirmed: whether the last bytes are delivered only after ``confirm()`` has passed: a destination
    ///   that has all of them gives the file its name.
    func stream(from offset: Int64 = 0, isConfirmed: Bool = false) -> ByteStream {
        let context = OperationContext(options: reading)
        // A server's file can be requested again; what has no length here is a stream.
        let isReplayable = item.size != nil || source.provider is any FileProviderBasicRemote
        return ByteStream(length: item.size.map { $0 - offset }, isReplayable: isReplayable) { [end] in
            let contents = try await source.provider.read(
                path: source.path, range: offset == 0 ? .all : .from(offset), in: context)
            hasher?.begin(at: offset)
            let next = try await contents.bytes.begin()
            let (position, rest) = (Locked(offset), Locked(Data()))
            end.withLock { $0 = nil }
            return {
                let waiting = rest.withLock { $0 }
                guard var chunk = waiting.isEmpty ? try await next() : waiting else {
                    // A source that ends early has changed; it is not the destination's error.
                    let total = position.withLock { $0 }
                    guard total >= item.size ?? 0 else { throw FileError.changed(source.path) }
                    end.withLock { $0 = total }
                    return nil
                }
                if let bandwidth {
                    // In short pieces, so that many streams take turns: none waits for minutes for its first byte.
                    let piece = Data(chunk.prefix(Int(min(max(bandwidth.perSecond / 20, 16_384), 524_288))))
                    rest.withLock { [chunk] in $0 = chunk.dropFirst(piece.count) }
                    chunk = piece
                    try await bandwidth.pass(Double(piece.count))
                }
                hasher?.update(chunk)
                let end = position.withLock { position in
                    position += Int64(chunk.count)
                    return position
                }
                if isConfirmed, end == item.size { try await confirm() }
                return chunk
            }
        }
    }

    /// Returns the bytes from `offset` on as those of an open local file, if the source is one and the bytes need not
    /// be inspected.
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

    /// Checks that a large file stayed one version while it was read. Reading a local file has checked that already;
    /// any other is looked up again, since a tag is compared only when the reading begins.
    func confirm() async throws {
        guard item.isRegularFile, item.size != nil, !(source.provider is any FileProviderLocalAccess) else { return }
        let now = try await source.provider.attributesOfItem(path: source.path)
        guard item.version.matches(now) else { throw FileError.changed(source.path) }
    }

    /// The options that let reading continue only while the source is the version that was listed.
    var reading: OperationOptions { OperationOptions(expecting: item.size == nil ? nil : item.version) }
}
