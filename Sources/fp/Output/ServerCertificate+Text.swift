import FileProviders

extension ServerCertificate {
    /// How a person recognizes it, in one line.
    var text: String {
        "SHA256:\(fingerprint) of \(ShownName.escaped(subject)), signed by \(ShownName.escaped(issuer))"
    }
}
