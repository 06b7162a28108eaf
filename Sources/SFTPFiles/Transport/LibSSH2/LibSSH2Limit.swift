import Foundation

/// Something that libssh2 cannot do and that the OpenSSH client can.
struct LibSSH2Limit: Error {
    /// What it is, a phrase.
    let reason: String
    /// The error where there is no other client.
    let error: URLError

    init(_ reason: String, _ error: URLError) {
        self.reason = reason
        self.error = error
    }
}
