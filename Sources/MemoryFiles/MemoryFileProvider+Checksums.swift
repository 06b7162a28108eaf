import Crypto
import FileProviding
import Foundation

extension MemoryFileProvider: ChecksumProvider {
    /// All that there are.
    public var checksumAlgorithms: [Checksum.Algorithm] { [.sha256, .sha512, .sha1, .md5, .adler32] }

    /// The hash of a file as it is now.
    public func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum? {
        let (_, data) = try store.read { try $0.readable(path) }
        let bytes: [UInt8] =
            switch algorithm {
            case .adler32: Self.adler32(data)
            case .md5: Array(Insecure.MD5.hash(data: data))
            case .sha1: Array(Insecure.SHA1.hash(data: data))
            case .sha256: Array(SHA256.hash(data: data))
            case .sha512: Array(SHA512.hash(data: data))
            }
        return Checksum(algorithm, hex: bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }

    /// RFC 1950, section 8.2.
    private static func adler32(_ data: Data) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [UInt8(high >> 8), UInt8(high & 255), UInt8(low >> 8), UInt8(low & 255)]
    }
}
