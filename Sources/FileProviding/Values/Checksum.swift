/// A file's hash and its algorithm.
public struct Checksum: Hashable, Sendable, Codable, CustomStringConvertible {
    /// How the hash was computed.
    public enum Algorithm: String, Sendable, Codable, CaseIterable {
        /// Adler-32 (RFC 1950), four bytes.
        case adler32 = "ADLER32"
        /// MD5, sixteen bytes.
        case md5 = "MD5"
        /// SHA-1, twenty bytes.
        case sha1 = "SHA1"
        /// SHA-256, thirty-two bytes.
        case sha256 = "SHA256"
        /// SHA-512, sixty-four bytes.
        case sha512 = "SHA512"
    }

    /// How the hash was computed.
    public let algorithm: Algorithm
    /// The hash as lower-case hexadecimal digits.
    public let hex: String

    /// Creates a hash from hexadecimal digits of either case.
    public init(_ algorithm: Algorithm, hex: String) {
        self.algorithm = algorithm
        self.hex = hex.lowercased()
    }

    /// Creates a hash from its bytes.
    package init(_ algorithm: Algorithm, bytes: some Sequence<UInt8>) {
        self.init(algorithm, hex: Self.hexadecimal(bytes))
    }

    /// Returns the bytes as lower-case hexadecimal digits, two for each byte.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `SHA1:da39a3ee…`, the form of ownCloud's `OC-Checksum`.
    public var description: String { "\(algorithm.rawValue):\(hex)" }
}
