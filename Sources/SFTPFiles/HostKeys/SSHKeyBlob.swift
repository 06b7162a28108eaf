/// A public key as it goes over the wire (RFC 4253, section 6.6): its kind comes first.
enum SSHKeyBlob {
    /// The kind's name; empty for what is no key.
    static func algorithm(of blob: [UInt8]) -> String {
        blob.withUnsafeBytes { bytes in
            var reader = PacketReader(bytes)
            return (try? reader.string()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
