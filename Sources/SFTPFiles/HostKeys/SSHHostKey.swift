import Crypto
import Foundation

/// The public key that a host showed.
public struct SSHHostKey: Sendable, Hashable {
    /// Who showed it: `host`, or `[host]:port` where the port is not 22.
    public var host: String
    /// The key's kind: `ssh-ed25519`.
    public var algorithm: String
    /// The key as it goes over the wire.
    public var blob: [UInt8]

    /// A key of a host.
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
