import Foundation

/// Something that libssh2 does not support and the OpenSSH client does.
struct LibSSH2Limit: Error {
    /// What it is, as a phrase.
    let reason: String
    /// The error if there is no other client.
    let error: URLError

    init(_ reason: String, _ error: URLError) {
        self.reason = reason
        self.error = error
    }
}
