/// Decides about a server certificate that could not be verified: a command-line tool prompts, an app shows a dialog.
public protocol ServerTrustDeciding: Sendable {
    /// Returns whether to trust exactly this certificate for its host from now on. No byte of a request has been sent
    /// yet.
    ///
    /// Called once per certificate, however many requests wait for the answer; after a no they fail with the error that
    /// carries the certificate, and the next request asks again.
    func shouldTrust(_ certificate: ServerCertificate) async -> Bool
}
