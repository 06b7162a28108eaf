import FileProviding
import Foundation

extension URLError {
    private static let methodsKey = "SSHAuthenticationMethods"

    /// The methods by which an SSH server would let someone in (RFC 4252), where it refused and told: `publickey`, `password`,
    /// `keyboard-interactive`.
    public var sshMethods: [String]? { userInfo[Self.methodsKey] as? [String] }

    /// A host's key that is not trusted, in SSH's words: Foundation's code speaks of certificates.
    static func untrustedHost(_ url: URL, _ reason: String) -> URLError {
        let error = urlError(url, code: .serverCertificateUntrusted)
        let place = error.failingURL?.absoluteString ?? ""
        return URLError(
            error.code, userInfo: error.userInfo.merging([NSLocalizedDescriptionKey: "\(place): \(reason)"]) { $1 })
    }

    private static let ungreetedKey = "SSHUngreeted"

    /// Whether the server hung up before it said a word of SSH: it has as many people at its door as it takes at once.
    var isUngreeted: Bool { userInfo[Self.ungreetedKey] != nil }

    /// The same error, of a server that hung up before it greeted.
    func ungreeted() -> URLError { URLError(code, userInfo: userInfo.merging([Self.ungreetedKey: true]) { $1 }) }

    func carrying(sshMethods: some Sequence<String>) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.methodsKey: sshMethods.sorted()]) { $1 })
    }
}
