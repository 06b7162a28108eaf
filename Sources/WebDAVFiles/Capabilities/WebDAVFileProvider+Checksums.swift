import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: ChecksumProvider, ChangeTokenProvider {
    /// The one hash that all clouds store; some report further ones. None elsewhere.
    public var checksumAlgorithms: [Checksum.Algorithm] { server.knowsCloudProperties ? [.sha1] : [] }

    /// Returns the hash among the file's properties; for an empty file, for which servers report none, that of no
    /// bytes.
    public func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum? {
        let file = try await attributesOfItem(path: path)
        if let told = file.checksums.first(where: { $0.algorithm == algorithm }) { return told }
        return file.size == 0 && algorithm == .sha1 && server.cloud != nil ? ChecksumHasher(.sha1).checksum : nil
    }

    /// Returns the collection's `ETag` on clouds, where it changes with everything below. Plain servers have no
    /// reliable one: on some it says nothing, on others only that an entry was added or removed.
    public func changeToken(path: ItemPath) async throws -> ChangeToken {
        _ = try await cloud(path, "change tokens")
        let directory = try await attributesOfItem(path: path)
        guard directory.isDirectory else { throw FileError.notADirectory(path) }
        guard let etag = directory.etag else { throw FileError.unsupported(path, "this collection has no tag") }
        return ChangeToken(value: String(etag.opaque), propagates: true)
    }
}

extension ByteStream {
    /// Returns the hash that all clouds accept and compare, of bytes that can be read twice without waiting, up to a
    /// length that is worth it; otherwise `nil`.
    func sha1(upTo limit: Int64) async throws -> Checksum? {
        guard isReplayable, isImmediate, let length, length <= limit else { return nil }
        return try await Checksum.of(self, .sha1)
    }
}
