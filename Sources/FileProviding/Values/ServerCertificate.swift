import Foundation

/// A server's certificate that was not trusted, for a user to inspect and decide on.
///
/// It is carried by the `URLError` in ``Foundation/URLError/serverCertificate``. Pinning ``fingerprint`` for ``host``
/// in the provider's configuration trusts it in future; a ``ServerTrustDeciding`` decides while the connection waits.
public struct ServerCertificate: Sendable, Hashable, Codable {
    /// The requested host, in lower case.
    public var host: String
    /// The SHA-256 of the certificate (DER): 64 lower-case hexadecimal digits.
    public var fingerprint: String
    /// The certificate's subject.
    public var subject: String
    /// The certificate's issuer.
    public var issuer: String
    /// The start of its validity, as the certificate states it.
    public var validFrom: String
    /// The end of its validity, as the certificate states it.
    public var validUntil: String
    /// Why it was not trusted.
    public var problem: Problem

    /// Creates a certificate as the server presented it.
    public init(
        host: String, fingerprint: String, subject: String, issuer: String, validFrom: String, validUntil: String,
        problem: Problem
    ) {
        self.host = host
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.validFrom = validFrom
        self.validUntil = validUntil
        self.problem = problem
    }

    /// Why a certificate was not trusted.
    public enum Problem: String, Sendable, Hashable, Codable {
        /// It is self-signed or signed by an unknown issuer.
        case unknownIssuer
        /// It has expired.
        case expired
        /// It is not yet valid.
        case notYetValid
        /// It is for another host.
        case otherHost
        /// The host is pinned, and this is not one of its pinned certificates.
        case notPinned
        /// Something else.
        case other
    }
}

extension URLError {
    private static let serverCertificateKey = "FileProviding.serverCertificate"

    /// The certificate that made the connection fail, if that is why it failed.
    public var serverCertificate: ServerCertificate? {
        userInfo[Self.serverCertificateKey] as? ServerCertificate
    }

    /// Returns the same error with the certificate that caused it.
    public func carrying(_ certificate: ServerCertificate) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.serverCertificateKey: certificate]) { $1 })
    }
}
