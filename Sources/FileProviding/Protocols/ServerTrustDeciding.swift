import Foundation

/// Decides about a server certificate that could not be verified: a terminal asks, an app shows a dialogue.
public protocol ServerTrustDeciding: Sendable {
    /// Whether to trust exactly this certificate for this host from now on. No byte of a request has been sent yet.
    func shouldTrust(_ certificate: ServerCertificate) async -> Bool
}

/// A certificate that a server presented.
public struct ServerCertificate: Hashable, Sendable, Codable {
    /// Host and port that presented it.
    public var authority: String
    /// The SHA-256 of the certificate (DER), 64 lower-case hexadecimal digits.
    public var fingerprint: String
    /// Whom it names.
    public var subject: String
    /// Who signed it.
    public var issuer: String
    /// From when to when it holds, as it says itself.
    public var validity: String
    /// Why it was not trusted.
    public var problem: String

    /// A certificate as the server presented it.
    public init(
        authority: String, fingerprint: String, subject: String, issuer: String, validity: String, problem: String
    ) {
        self.authority = authority
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.validity = validity
        self.problem = problem
    }
}
