import Foundation

extension URLError.Code {
    /// Whether the server's certificate was not accepted.
    package var isCertificateProblem: Bool {
        [
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid,
        ].contains(self)
    }

    /// Whether there was no connection to the server, or it was lost or timed out.
    package var isConnectionProblem: Bool {
        [
            .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
            .notConnectedToInternet,
        ].contains(self)
    }
}
