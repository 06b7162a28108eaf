import FileProviding

/// Trusts the certificates that a bookmark has; of others somebody else decides.
struct PinnedTrust: ServerTrustDeciding {
    private let pins: [String: Set<String>]
    private let other: (any ServerTrustDeciding)?

    init(_ pins: [String: Set<String>], otherwise other: (any ServerTrustDeciding)?) {
        self.pins = pins
        // Not one behind the other for every answer.
        self.other = (other as? PinnedTrust).map(\.other) ?? other
    }

    func shouldTrust(_ certificate: ServerCertificate) async -> Bool {
        if pins[certificate.host]?.contains(certificate.fingerprint) == true { return true }
        return await other?.shouldTrust(certificate) ?? false
    }
}
