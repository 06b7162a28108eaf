import FileProviding
import Foundation

/// Computes a file's hash as its bytes pass.
final class StreamHasher: Sendable {
    let algorithm: Checksum.Algorithm
    private let state: Locked<(hasher: ChecksumHasher, start: Int64)>

    /// Creates a hasher. Adler-32 protects only against accidents, so SHA-256 takes its place.
    init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm == .adler32 ? .sha256 : algorithm
        state = Locked((ChecksumHasher(self.algorithm), 0))
    }

    /// Whether the file's first byte was among those that passed.
    var isComplete: Bool { state.withLock { $0.start == 0 } }

    /// Starts over with the byte at `offset` of the file.
    func begin(at offset: Int64) { state.withLock { $0 = (ChecksumHasher(algorithm), offset) } }

    func update(_ data: Data) { state.withLock { $0.hasher.update(data) } }

    var checksum: Checksum { state.withLock { $0.hasher.checksum } }
}
