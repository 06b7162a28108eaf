import FileProviding
import Foundation

/// Computes a file's hash as its bytes pass.
final class StreamHasher: Sendable {
    private struct State {
        var hasher: ChecksumHasher
        /// The range of the file's bytes that were hashed; `nil` before the first read.
        var passed: Range<Int64>?
    }

    let algorithm: Checksum.Algorithm
    private let state: Locked<State>

    /// Creates a hasher. Adler-32 protects only against accidents, so SHA-256 takes its place.
    init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm == .adler32 ? .sha256 : algorithm
        state = Locked(State(hasher: ChecksumHasher(self.algorithm)))
    }

    /// Returns whether all bytes of a file were hashed; if its size is unknown, all bytes that were read.
    func isComplete(of size: Int64?) -> Bool {
        state.withLock { state in
            guard let passed = state.passed, passed.lowerBound == 0 else { return false }
            return passed.upperBound >= size ?? 0
        }
    }

    /// Starts over with the byte at `offset` of the file.
    func begin(at offset: Int64) {
        state.withLock { $0 = State(hasher: ChecksumHasher(algorithm), passed: offset..<offset) }
    }

    func update(_ data: Data) {
        state.withLock { state in
            state.hasher.update(data)
            state.passed = state.passed.map { $0.lowerBound..<$0.upperBound + Int64(data.count) }
        }
    }

    var checksum: Checksum { state.withLock { $0.hasher.checksum } }
}
