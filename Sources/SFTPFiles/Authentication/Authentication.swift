import CSSH2
import FileProviding
import Foundation

/// Logs in over libssh2: with the agent's keys, key files, a password, and answers to the server's questions, in that
/// order.
final class Authentication {
    private let session: LibSSH2Session
    private let configuration: SFTPConfiguration
    private let password: String?
    private let interaction: (any SSHInteraction)?
    private let user: String
    /// The attempts and their results, for the error.
    private var attempts: [String] = []
    /// Keys that only the OpenSSH client can use.
    private var unusable: [String] = []

    init(
        _ session: LibSSH2Session, _ configuration: SFTPConfiguration, password: String?,
        interaction: (any SSHInteraction)?
    ) {
        self.session = session
        self.configuration = configuration
        self.password = password
        self.interaction = interaction
        user = configuration.user ?? NSUserName()
    }

    /// Throws `.userAuthenticationRequired` when nothing succeeded; the error lists what was tried.
    func run() throws {
        // The server's methods are requested only then: it takes a round trip, and named keys are meant to be used.
        let hasNamedKeys = configuration.ssh.keys?.isEmpty == false
        if hasNamedKeys, try tryKeys() { return }
        guard let methods = try offeredMethods() else { return }
        if methods.contains("publickey"), !hasNamedKeys, try tryKeys() { return }
        if !methods.contains("publickey"), !attempts.isEmpty { attempts = ["a key is not enough"] }
        if let password {
            if methods.contains("password"), try tryPassword(password) { return }
        }
        if methods.contains("keyboard-interactive"), password != nil || interaction != nil {
            let dialogue = KeyboardInteractive(password: password, interaction: interaction)
            if try session.logIn(user, answeredBy: dialogue) { return }
            if session.isCut { throw lost }
            attempts.append("the server's questions were not answered to its satisfaction")
        }
        throw refusal(methods)
    }

    private func refusal(_ methods: Set<String>) -> any Error {
        var reasons = attempts.isEmpty ? ["there was no key or password to try"] : attempts
        reasons.append("the server takes \(methods.sorted().joined(separator: ", "))")
        let error = urlError(
            session.url, code: .userAuthenticationRequired, reason: reasons.joined(separator: "; ")
        ).carrying(sshMethods: methods)
        guard !unusable.isEmpty else { return error }
        return LibSSH2Limit("only the OpenSSH client can use \(unusable.joined(separator: ", "))", error)
    }

    /// Returns the methods that the server accepts; `nil` when it requires none.
    private func offeredMethods() throws -> Set<String>? {
        let list = try session.finish { libssh2_userauth_list(session.pointer, user, UInt32(user.utf8.count)) }
        if let list { return Set(String(cString: list).split(separator: ",").map(String.init)) }
        if libssh2_userauth_authenticated(session.pointer) != 0 { return nil }
        throw lost
    }

    private var lost: URLError {
        urlError(session.url, code: .networkConnectionLost, reason: "while logging in: \(session.problem)")
    }

    /// Repeats a step until it is done, and returns its result. A connection that ends there says nothing about who may
    /// log in.
    private func attempt(_ step: () -> Int32) throws -> Int32 {
        let result = try session.finish(step)
        if result != 0, session.isCut { throw lost }
        return result
    }

    // MARK: Keys

    private func tryKeys() throws -> Bool {
        let files = try keyFiles()
        return try usesAgent(files) || tryFiles(files)
    }

    private func keyFiles() throws -> [PrivateKeyFile] {
        if let named = configuration.ssh.keys {
            return try named.map { path in
                if let file = try PrivateKeyFile(path) { return file }
                throw urlError(
                    session.url, code: .userAuthenticationRequired, reason: "there is no key file \(path)"
                ).carrying(sshMethods: ["publickey"])
            }
        }
        return PrivateKeyFile.usual().compactMap { try? PrivateKeyFile($0) }
    }

    /// Returns whether the agent is used. Keys named in the configuration are the only ones tried, but the agent may
    /// hold them too.
    private func usesAgent(_ files: [PrivateKeyFile]) throws -> Bool {
        guard configuration.ssh.usesAgent, let agent = AgentKeys(session, configuration.ssh.agent) else { return false }
        let wanted = configuration.ssh.keys.map { _ in files.compactMap(\.publicKey) }
        var offered = 0
        for key in agent.keys where wanted?.contains(key.blob) ?? true {
            guard PrivateKeyFile.isUsable(key.blob) else {
                unusable.append("the agent's \(SSHKeyBlob.algorithm(of: key.blob)) key")
                continue
            }
            offered += 1
            if try attempt({ agent.logIn(user, key) }) == 0 { return true }
        }
        attempts.append(
            offered == 0 ? "the agent holds no key for it" : "none of the agent's \(offered) keys was taken")
        return false
    }

    /// Tries the key files, those without a passphrase first.
    private func tryFiles(_ files: [PrivateKeyFile]) throws -> Bool {
        for file in files where !file.isUsable { unusable.append("the key \(file.path)") }
        let usable = files.filter(\.isUsable)
        for file in usable.filter({ !$0.isLocked }) + usable.filter(\.isLocked) {
            if try tryFile(file) { return true }
        }
        return false
    }

    private func tryFile(_ file: PrivateKeyFile) throws -> Bool {
        guard file.isLocked else {
            let result = try logIn(file, passphrase: nil)
            if result != 0 {
                attempts.append(
                    result == LIBSSH2_ERROR_FILE
                        ? "the key \(file.path) cannot be read" : "the key \(file.path) was not taken")
            }
            return result == 0
        }
        guard let interaction else {
            attempts.append("the key \(file.path) needs its passphrase")
            return false
        }
        for _ in 0..<3 {
            let question = SSHQuestion(.passphrase, text: "Passphrase of the key \(file.path): ")
            guard let passphrase = waitFor({ await interaction.answer(question) }) else { break }
            let result = try logIn(file, passphrase: passphrase)
            if result == 0 { return true }
            guard result == LIBSSH2_ERROR_FILE else {
                attempts.append("the key \(file.path) was not taken")
                return false
            }
        }
        attempts.append("wrong passphrase for the key \(file.path)")
        return false
    }

    private func logIn(_ file: PrivateKeyFile, passphrase: String?) throws -> Int32 {
        try file.path.withCString { path in
            try attempt {
                libssh2_userauth_publickey_fromfile_ex(
                    session.pointer, user, UInt32(user.utf8.count), nil, path, passphrase)
            }
        }
    }

    private func tryPassword(_ password: String) throws -> Bool {
        let result = try attempt {
            libssh2_userauth_password_ex(
                session.pointer, user, UInt32(user.utf8.count), password, UInt32(password.utf8.count), nil)
        }
        if result != 0 { attempts.append("user or password was refused") }
        return result == 0
    }
}
