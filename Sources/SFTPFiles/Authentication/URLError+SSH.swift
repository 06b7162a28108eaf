import FileProviding
import Foundation

extension URLError {
    private static let methodsKey = "SSHAuthenticationMethods"

    /// The login methods that the SSH server offers (RFC 4252), if it refused and listed them: `publickey`, `password`,
    /// `keyboard-interactive`.
    public var sshMethods: [String]? { userInfo[Self.methodsKey] as? [String] }

    /// Returns the error for a host's key that is not trusted, in SSH's terms: Foundation's code is about certificates.
    static func untrustedHost(_ url: URL, _ reason: String) -> URLError {
        let error = urlError(url, code: .serverCertificateUntrusted)
        let place = error.failingURL?.absoluteString ?? ""
        return URLError(
            error.code, userInfo: error.userInfo.merging([NSLocalizedDescriptionKey: "\(place): \(reason)"]) { $1 })
    }

    private static let ungreetedKey = "SSHUngreeted"

    /// Whether the server refused the connection, because it is being restarted, or disconnected before its SSH
    /// greeting, because it has as many pending logins as it accepts at once.
    var isUngreeted: Bool { userInfo[Self.ungreetedKey] != nil }

    /// Returns the same error, marked as one that may not occur again a little later.
    func ungreeted() -> URLError { URLError(code, userInfo: userInfo.merging([Self.ungreetedKey: true]) { $1 }) }

    func carrying(sshMethods: some Sequence<String>) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.methodsKey: sshMethods.sorted()]) { $1 })
    }
}
