import FileProviding

/// Trusts the certificates of a bookmark; about others, another object decides.
struct PinnedTrust: ServerTrustDeciding {
    private let pins: [String: Set<String>]
    private let other: (any ServerTrustDeciding)?

    init(_ pins: [String: Set<String>], otherwise other: (any ServerTrustDeciding)?) {
        self.pins = pins
        // Do not nest one inside the other with every answer.
        self.other = (other as? PinnedTrust).map(\.other) ?? other
    }

    func shouldTrust(_ certificate: ServerCertificate) async -> Bool {
        if pins[certificate.host]?.contains(certificate.fingerprint) == true { return true }
        return await other?.shouldTrust(certificate) ?? false
    }
}
