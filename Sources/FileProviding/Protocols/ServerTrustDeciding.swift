/// Decides about a server certificate that could not be verified: a terminal asks, an app shows a dialogue.
public protocol ServerTrustDeciding: Sendable {
    /// Whether to trust exactly this certificate for its host from now on. No byte of a request has been sent yet.
    ///
    /// Asked once per certificate however many requests wait for the answer; a no lets them fail with the error that
    /// carries the certificate, and is asked again with the next request.
    func shouldTrust(_ certificate: ServerCertificate) async -> Bool
}

/// A provider whose server shows a certificate.
public protocol FileProviderServerTrust: FileProviderBasic {
    /// Who decides about certificates that do not verify; `nil`, the default, refuses them all. Held strongly, and shared
    /// with copies of the provider.
    var trustDecider: (any ServerTrustDeciding)? { get nonmutating set }
}
