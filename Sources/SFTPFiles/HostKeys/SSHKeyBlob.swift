/// A public key in its wire format (RFC 4253, section 6.6), which begins with the algorithm.
enum SSHKeyBlob {
    /// Returns the algorithm's name; empty for an invalid key.
    static func algorithm(of blob: [UInt8]) -> String {
        blob.withUnsafeBytes { bytes in
            var reader = PacketReader(bytes)
            return (try? reader.string()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
