import FileProviding
import Foundation

extension URLError {
    private static let methodsKey = "SSHAuthenticationMethods"

    /// The methods by which an SSH server would let someone in (RFC 4252), where it refused and told: `publickey`, `password`,
    /// `keyboard-interactive`.
    public var sshMethods: [String]? { userInfo[Self.methodsKey] as? [String] }

    func carrying(sshMethods: some Sequence<String>) -> URLError {
        URLError(code, userInfo: userInfo.merging([Self.methodsKey: sshMethods.sorted()]) { $1 })
    }
}
