import FileProviders
import Foundation

/// Where a secret is given without asking: options first, then the environment.
struct SecretSources {
    /// What was given.
    enum Secret {
        /// A password, whose user the location names.
        case password(String)
        /// A bearer token.
        case token(String)
    }

    /// `--password-file`.
    var passwordFile: LocalPath?
    /// `--token-file`.
    var tokenFile: LocalPath?
    /// Whether `FP_PASSWORD` and `FP_TOKEN` are meant for this server.
    var usesEnvironment: Bool
    /// The process's variables.
    let environment: Environment

    /// The secret, or `nil` when none was given.
    func find() throws -> Secret? {
        if let passwordFile { return .password(try Self.firstLine(of: passwordFile)) }
        if let tokenFile { return .token(try Self.firstLine(of: tokenFile)) }
        guard usesEnvironment else { return nil }
        return environment.password.map { .password($0) } ?? environment.token.map { .token($0) }
    }

    /// A secret in a file: its first line.
    static func firstLine(of file: LocalPath) throws -> String {
        let data = try LocalFileHandle(reading: file).read(at: 0, count: 64 << 10)
        guard let text = String(validating: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) else {
            throw cocoaError(file, code: .fileReadCorruptFile, reason: "it is not UTF-8 text")
        }
        let line = text.hasSuffix("\r") ? String(text.dropLast()) : text
        guard !line.isEmpty else {
            throw cocoaError(file, code: .fileReadCorruptFile, reason: "its first line is empty")
        }
        return line
    }
}
