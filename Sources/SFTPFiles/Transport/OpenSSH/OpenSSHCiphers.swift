/// The order in which the OpenSSH client offers its ciphers: by default it begins with ChaCha20, and AES-GCM is twice
/// as fast if the processor supports AES.
enum OpenSSHCiphers {
    private static let slow = "chacha20-poly1305@openssh.com"
    private static let fast = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com"]

    /// Returns the ciphers that the user's configuration allows, the fast ones first; `nil` if the order is to stay:
    /// the user chose another, or the processor does not support AES.
    static func preferred(_ settings: OpenSSHSettings) -> String? {
        Processor.computesAES ? settings["ciphers"].flatMap(reordered) : nil
    }

    /// The fast ones before the client's own; `nil` if the processor does not support AES.
    static let head = Processor.computesAES ? "^" + fast.joined(separator: ",") : nil

    /// Returns the list with the fast ones first, if it begins with the slow one, as the client's default does.
    static func reordered(_ list: String) -> String? {
        let allowed = list.split(separator: ",").map(String.init)
        let preferred = fast.filter(allowed.contains)
        guard allowed.first == slow, !preferred.isEmpty else { return nil }
        return (preferred + allowed.filter { !preferred.contains($0) }).joined(separator: ",")
    }
}
