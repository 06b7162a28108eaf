import Foundation

/// A server's certificate that was not trusted, for a person to look at and decide.
///
/// Carried by the `URLError` in ``Foundation/URLError/serverCertificate``. Pinning ``fingerprint`` for ``host`` in the
/// provider's configuration trusts it in future; a ``ServerTrustDeciding`` decides while the connection waits.
public struct ServerCertificate: Sendable, Hashable, Codable {
    /// The host that was asked for, in lower case.
    public var host: String
    /// The SHA-256 of the certificate (DER): 64 lower-case hexadecimal digits.
    public var fingerprint: String
    /// Whom the certificate names.
    public var subject: String
    /// Who signed it.
    public var issuer: String
    /// The first moment of its validity, as the certificate has it.
    public var validFrom: String
    /// The last moment of its validity, as the certificate has it.
    public var validUntil: String
    /// Why it was not trusted.
    public var problem: Problem

    /// A certificate as the server presented it.
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
        /// It is signed by itself or by someone unknown.
        case unknownIssuer
        /// It has expired.
        case expired
        /// It is not yet valid.
        case notYetValid
        /// It names another host.
        case otherHost
        /// The host is pinned, and this is none of its certificates.
        case notPinned
        /// Something else.
        case other
    }
}

extension URLError {
    private static let serverCertificateKey = "FileProviding.serverCertificate"

    /// The certificate that made the connection fail, if that was the reason.
    public var serverCertificate: ServerCertificate? {
        userInfo[Self.serverCertificateKey] as? ServerCertificate
    }

    /// The same error with the certificate that caused it.
    public func carrying(_ certificate: ServerCertificate) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.serverCertificateKey: certificate]) { $1 })
    }
}
