import Crypto
import FileProviding
import Foundation

/// Computes a file's hash while its bytes pass.
final class StreamHasher: Sendable {
    private enum Function: Sendable {
        case md5(Insecure.MD5)
        case sha1(Insecure.SHA1)
        case sha256(SHA256)
        case sha512(SHA512)
    }

    let algorithm: Checksum.Algorithm
    private let function: Locked<Function>
    private let start = Locked<Int64>(0)

    /// Adler-32 protects against accidents only; SHA-256 takes its place.
    init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm == .adler32 ? .sha256 : algorithm
        function = Locked(Self.begin(self.algorithm))
    }

    /// Whether the file's first byte was among those that passed.
    var isComplete: Bool { start.withLock { $0 == 0 } }

    /// Begins anew with the byte at `offset` of the file.
    func begin(at offset: Int64) {
        start.withLock { $0 = offset }
        function.withLock { $0 = Self.begin(algorithm) }
    }

    func update(_ data: Data) {
        function.withLock { function in
            switch function {
            case .md5(var hash):
                hash.update(data: data)
                function = .md5(hash)
            case .sha1(var hash):
                hash.update(data: data)
                function = .sha1(hash)
            case .sha256(var hash):
                hash.update(data: data)
                function = .sha256(hash)
            case .sha512(var hash):
                hash.update(data: data)
                function = .sha512(hash)
            }
        }
    }

    var checksum: Checksum {
        let bytes: [UInt8] = function.withLock { function in
            switch function {
            case .md5(let hash): Array(hash.finalize())
            case .sha1(let hash): Array(hash.finalize())
            case .sha256(let hash): Array(hash.finalize())
            case .sha512(let hash): Array(hash.finalize())
            }
        }
        return Checksum(algorithm, hex: Checksum.hexadecimal(bytes))
    }

    private static func begin(_ algorithm: Checksum.Algorithm) -> Function {
        switch algorithm {
        case .md5: .md5(Insecure.MD5())
        case .sha1: .sha1(Insecure.SHA1())
        case .sha256, .adler32: .sha256(SHA256())
        case .sha512: .sha512(SHA512())
        }
    }
}

extension Checksum {
    /// Bytes as lower-case digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The hash of everything a stream gives.
    public static func of(_ stream: some AsyncSequence<Data, any Error>, _ algorithm: Algorithm) async throws
        -> Checksum
    {
        let hasher = StreamHasher(algorithm)
        for try await chunk in stream { hasher.update(chunk) }
        return hasher.checksum
    }
}
