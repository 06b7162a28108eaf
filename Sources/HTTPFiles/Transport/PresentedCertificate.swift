import Crypto
import FileProviding
import Foundation

/// A certificate as a server presented it.
struct PresentedCertificate: Sendable {
    /// The SHA-256 of the certificate (DER), in lower-case hexadecimal digits.
    let fingerprint: String
    /// The SHA-256 of its public key (SubjectPublicKeyInfo, DER) in Base64, which libcurl pins connections to.
    let key: String
    let subject: String
    let issuer: String
    let validFrom: String
    let validUntil: String

    /// - Parameter fields: what libcurl reports, by its names.
    init?(fields: [String: String]) {
        guard let der = fields["Cert"].flatMap(Self.der), let keyInfo = Self.publicKeyInfo(in: der) else { return nil }
        fingerprint = Checksum.hexadecimal(SHA256.hash(data: der))
        key = Data(SHA256.hash(data: keyInfo)).base64EncodedString()
        subject = fields["Subject"] ?? ""
        issuer = fields["Issuer"] ?? ""
        validFrom = fields["Start date"] ?? ""
        validUntil = fields["Expire date"] ?? ""
    }

    func described(host: String, problem: ServerCertificate.Problem) -> ServerCertificate {
        ServerCertificate(
            host: host, fingerprint: fingerprint, subject: subject, issuer: issuer, validFrom: validFrom,
            validUntil: validUntil, problem: problem)
    }

    private static func der(pem: String) -> Data? {
        let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined())
    }

    /// Returns the SubjectPublicKeyInfo of a certificate (RFC 5280, section 4.1): the seventh part of the signed data,
    /// or the sixth if the version is left out.
    static func publicKeyInfo(in certificate: Data) -> Data? {
        var outer = DERReader(certificate)
        guard let whole = outer.next(), whole.tag == 0x30 else { return nil }
        var inner = DERReader(whole.content)
        guard let signed = inner.next(), signed.tag == 0x30 else { return nil }
        var parts = DERReader(signed.content)
        var part = parts.next()
        if part?.tag == 0xA0 { part = parts.next() }  // The version.
        // The part before was the serial number; then come algorithm, issuer, validity, subject and the key.
        for _ in 0..<5 { part = parts.next() }
        return part?.tag == 0x30 ? part?.encoded : nil
    }
}

/// Steps through the elements of a DER encoding (X.690).
struct DERReader {
    private var rest: Data

    struct Element {
        let tag: UInt8
        let content: Data
        /// Tag, length and content.
        let encoded: Data
    }

    init(_ data: Data) { rest = data }

    mutating func next() -> Element? {
        guard rest.count >= 2 else { return nil }
        let bytes = rest.startIndex
        var length = Int(rest[bytes + 1])
        var head = 2
        if length & 0x80 != 0 {
            let digits = length & 0x7F
            guard (1...4).contains(digits), rest.count >= 2 + digits else { return nil }
            length = rest[(bytes + 2)..<(bytes + 2 + digits)].reduce(0) { $0 << 8 | Int($1) }
            head += digits
        }
        guard rest.count >= head + length else { return nil }
        let encoded = rest[bytes..<(bytes + head + length)]
        rest = rest[(bytes + head + length)...]
        return Element(tag: encoded[bytes], content: encoded[(bytes + head)...], encoded: encoded)
    }
}
