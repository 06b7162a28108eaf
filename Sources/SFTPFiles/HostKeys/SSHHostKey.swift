import Crypto
import Foundation

/// The public key that a host presented.
public struct SSHHostKey: Sendable, Hashable {
    /// The host that presented it: `host`, or `[host]:port` if the port is not 22.
    public var host: String
    /// The key's algorithm: `ssh-ed25519`.
    public var algorithm: String
    /// The key in its wire format.
    public var blob: [UInt8]

    /// Creates a key of a host.
    public init(host: String, algorithm: String, blob: [UInt8]) {
        self.host = host
        self.algorithm = algorithm
        self.blob = blob
    }

    /// `SHA256:` and the digest in Base64 without padding, as OpenSSH shows it.
    public var fingerprint: String { Self.fingerprint(of: blob) }

    static func fingerprint(of blob: [UInt8]) -> String {
        let digest = Data(SHA256.hash(data: blob)).base64EncodedString()
        return "SHA256:" + digest.prefix { $0 != "=" }
    }
}
