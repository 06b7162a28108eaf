import FileProviding
import Foundation

/// A private key's file, as far as it can be read without its passphrase.
struct PrivateKeyFile {
    let path: LocalPath
    /// The public half, if the file or the `.pub` next to it contains it.
    let publicKey: [UInt8]?
    /// Whether a passphrase protects it.
    let isLocked: Bool
    /// Whether libssh2 can log in to current servers with this key. A key of unknown type is tried.
    let isUsable: Bool

    /// The ciphers with which libssh2 can decrypt keys in OpenSSH's own format.
    private static let ciphers: Set<String> = [
        "none", "aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes192-cbc", "aes256-cbc", "3des-cbc",
    ]

    /// Reads a file; `nil` when there is none.
    init?(_ path: LocalPath) throws {
        guard let data = try PrivateFile.read(path, limit: 1 << 20) else { return nil }
        self.path = path
        let text = String(decoding: data, as: UTF8.self)
        let beside = try? PrivateFile.read(LocalPath(bytes: path.bytes + Array(".pub".utf8)), limit: 1 << 20)
        let words = String(decoding: beside ?? Data(), as: UTF8.self).split(separator: " ")
        let told = words.dropFirst().first.flatMap { Data(base64Encoded: String($0)) }.map { Array($0) }
        let isReadable: Bool
        if let header = Self.header(text) {
            isLocked = header.cipher != "none"
            publicKey = header.publicKey ?? told
            isReadable = Self.ciphers.contains(header.cipher)
        } else {
            isLocked = text.contains("ENCRYPTED")
            publicKey = told
            isReadable = !text.contains("BEGIN RSA PRIVATE KEY") && !text.contains("BEGIN DSA PRIVATE KEY")
        }
        isUsable = isReadable && publicKey.map { Self.isUsable($0) } ?? true
    }

    /// Returns whether libssh2 can use the key: RSA needs SHA-2 signatures, hardware keys and certificates need
    /// OpenSSH.
    static func isUsable(_ publicKey: [UInt8]) -> Bool {
        let algorithm = SSHKeyBlob.algorithm(of: publicKey)
        return algorithm == "ssh-ed25519" || algorithm.hasPrefix("ecdsa-sha2-nistp") && !algorithm.contains("@")
    }

    /// Returns the usual files, best first.
    static func usual() -> [LocalPath] {
        let home = LocalPath(FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false))
        return ["id_ed25519", "id_ecdsa", "id_rsa", "id_ed25519_sk", "id_ecdsa_sk"].map {
            home.appending(".ssh/\($0)")
        }
    }

    /// Returns the unencrypted beginning of OpenSSH's own format (OpenSSH's PROTOCOL.key).
    private static func header(_ text: String) -> (cipher: String, publicKey: [UInt8]?)? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN OPENSSH PRIVATE KEY-----",
            let data = Data(base64Encoded: lines.dropFirst().prefix { !$0.hasPrefix("-") }.joined())
        else { return nil }
        let magic = Array("openssh-key-v1\0".utf8)
        guard data.starts(with: magic) else { return nil }
        return Array(data.dropFirst(magic.count)).withUnsafeBytes { bytes in
            var reader = PacketReader(bytes)
            guard let cipher = try? reader.string(), (try? reader.string()) != nil, (try? reader.string()) != nil,
                (try? reader.uint32()) != nil
            else { return nil }
            return (String(decoding: cipher, as: UTF8.self), try? reader.string())
        }
    }
}
