import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: ChecksumProvider, ChangeTokenProvider {
    /// The one hash that all clouds keep; some tell further ones. None elsewhere.
    public var checksumAlgorithms: [Checksum.Algorithm] { server.knowsCloudProperties ? [.sha1] : [] }

    /// The hash among the file's properties; of an empty file, for which servers tell none, the one of no bytes.
    public func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum? {
        let file = try await attributesOfItem(path: path)
        if let told = file.checksums.first(where: { $0.algorithm == algorithm }) { return told }
        return file.size == 0 && algorithm == .sha1 && server.cloud != nil ? ChecksumHasher(.sha1).checksum : nil
    }

    /// The collection's `ETag` on clouds, where it changes with everything below. Plain servers have none that can be relied
    /// upon: of some it tells nothing, of others only that an entry came or went.
    public func changeToken(path: ItemPath) async throws -> ChangeToken {
        _ = try await cloud(path, "change tokens")
        let directory = try await attributesOfItem(path: path)
        guard directory.isDirectory else { throw FileError.notADirectory(path) }
        guard let etag = directory.etag else { throw FileError.unsupported(path, "this collection has no tag") }
        return ChangeToken(value: String(etag.opaque), propagates: true)
    }
}

extension ByteStream {
    /// The hash that all clouds take and compare, of bytes that can be read twice without waiting, up to a length that is worth it; else `nil`.
    func sha1(upTo limit: Int64) async throws -> Checksum? {
        guard isReplayable, isImmediate, let length, length <= limit else { return nil }
        return try await Checksum.of(self, .sha1)
    }
}
