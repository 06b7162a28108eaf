import FileProviders
import Foundation

/// The sources of a secret that need no question: options first, then the environment.
struct SecretSources {
    /// A secret that was given.
    enum Secret {
        /// A password, for the user that the location names.
        case password(String)
        /// A bearer token.
        case token(String)
    }

    /// `--password-file`.
    var passwordFile: LocalPath?
    /// `--token-file`.
    var tokenFile: LocalPath?
    /// Whether `FP_PASSWORD` and `FP_TOKEN` are for this server.
    var usesEnvironment: Bool
    /// The process's variables.
    let environment: Environment

    /// Returns the secret, or `nil` when none was given.
    func find() throws -> Secret? {
        if let passwordFile { return .password(try SecretFile(passwordFile, holding: "password").firstLine()) }
        if let tokenFile { return .token(try SecretFile(tokenFile, holding: "token").firstLine()) }
        guard usesEnvironment else { return nil }
        return environment.password.map { .password($0) } ?? environment.token.map { .token($0) }
    }
}
