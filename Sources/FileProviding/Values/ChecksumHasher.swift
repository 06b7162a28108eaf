import Crypto
import Foundation

/// Computes a checksum of bytes that come in pieces.
package struct ChecksumHasher: Sendable {
    private enum Function: Sendable {
        case adler32(Adler32)
        case md5(Insecure.MD5)
        case sha1(Insecure.SHA1)
        case sha256(SHA256)
        case sha512(SHA512)
    }

    /// The algorithm of the checksum.
    package let algorithm: Checksum.Algorithm
    private var function: Function

    /// Creates a hasher that has seen no bytes.
    package init(_ algorithm: Checksum.Algorithm) {
        self.algorithm = algorithm
        function =
            switch algorithm {
            case .adler32: .adler32(Adler32())
            case .md5: .md5(Insecure.MD5())
            case .sha1: .sha1(Insecure.SHA1())
            case .sha256: .sha256(SHA256())
            case .sha512: .sha512(SHA512())
            }
    }

    /// Adds the next bytes.
    package mutating func update(_ data: Data) {
        switch function {
        case .adler32(var hash):
            hash.update(data)
            function = .adler32(hash)
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

    /// The checksum of all bytes so far.
    package var checksum: Checksum {
        switch function {
        case .adler32(let hash): Checksum(algorithm, bytes: hash.bytes)
        case .md5(let hash): Checksum(algorithm, bytes: hash.finalize())
        case .sha1(let hash): Checksum(algorithm, bytes: hash.finalize())
        case .sha256(let hash): Checksum(algorithm, bytes: hash.finalize())
        case .sha512(let hash): Checksum(algorithm, bytes: hash.finalize())
        }
    }
}

/// RFC 1950, section 8.2.
private struct Adler32: Sendable {
    private var (low, high): (UInt32, UInt32) = (1, 0)

    mutating func update(_ data: Data) {
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
    }

    var bytes: [UInt8] { [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)] }
}

extension Checksum {
    /// Returns the checksum of all bytes of a stream.
    public static func of(
        _ stream: some AsyncSequence<Data, any Error>, _ algorithm: Algorithm
    ) async throws -> Checksum {
        var hasher = ChecksumHasher(algorithm)
        for try await chunk in stream { hasher.update(chunk) }
        return hasher.checksum
    }
}
