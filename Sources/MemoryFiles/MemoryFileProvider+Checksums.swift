import FileProviding
import Foundation

extension MemoryFileProvider: ChecksumProvider {
    /// All algorithms.
    public var checksumAlgorithms: [Checksum.Algorithm] { [.sha256, .sha512, .sha1, .md5, .adler32] }

    /// Returns the hash of a file as it is now.
    public func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum? {
        let (_, data) = try store.read { try $0.readable(path) }
        var hasher = ChecksumHasher(algorithm)
        hasher.update(data)
        return hasher.checksum
    }
}
