import CSSH2
import FileProviding
import Foundation

/// Logs in over libssh2: with the password, if there is one, with the agent's keys, key files, and a user's answers to
/// the server's questions, in that order. Where a password can only be the answer to a question, questions come first.
final class Authentication {
    private let session: LibSSH2Session
    private let configuration: SFTPConfiguration
    private let password: String?
    private let interaction: (any SSHInteraction)?
    private let user: String
    /// The attempts and their results, for the error.
    private var attempts: [String] = []
    /// Keys that only the OpenSSH client can use.
    private var unusable: Set<String> = []
    /// The methods that the server offered when last asked.
    private var methods: Set<String>?
    /// Whether nothing has happened since that may have changed them.
    private var isCurrent = false
    /// The methods that have failed since the list last changed.
    private var refused: Set<String> = []

    /// The maximum number of methods to try: a server must not keep asking for a password forever.
    private static let maximumSteps = 6

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
        if hasNamedKeys, password == nil {
            if try tryKeys() { return }
            refused.insert("publickey")
        }
        for _ in 0..<Self.maximumSteps {
            if !isCurrent, try !askMethods() { return }
            guard let method = nextMethod else { break }
            refused.insert(method)
            if try logIn(by: method) { return }
        }
        throw refusal()
    }

    private var hasNamedKeys: Bool { configuration.ssh.keys?.isEmpty == false }

    /// The next method to try.
    private var nextMethod: String? {
        guard let methods else { return nil }
        let order =
            password == nil || methods.contains("password")
            ? ["password", "publickey", "keyboard-interactive"] : ["keyboard-interactive", "publickey"]
        return order.first { method in
            guard methods.contains(method), !refused.contains(method) else { return false }
            switch method {
            case "password": return password != nil
            case "keyboard-interactive": return interaction != nil || passwordForQuestions != nil
            default: return true
            }
        }
    }

    /// The password, unless it was refused already: each refusal counts towards a lock-out.
    private var passwordForQuestions: String? { refused.contains("password") ? nil : password }

    /// Tries a method; returns whether the login is complete. If not, the server may still have accepted the method and
    /// require another one.
    private func logIn(by method: String) throws -> Bool {
        switch method {
        case "publickey": return try tryKeys()
        case "password":
            isCurrent = false
            return try tryPassword(password ?? "")
        default:
            isCurrent = false
            let dialogue = KeyboardInteractive(password: passwordForQuestions, interaction: interaction)
            if try session.logIn(user, answeredBy: dialogue) { return true }
            if session.isCut { throw lost }
            attempts.append("the server's questions were not answered to its satisfaction")
            return false
        }
    }

    private func refusal() -> any Error {
        let methods = methods ?? []
        var reasons = attempts.isEmpty ? ["there was no key or password to try"] : attempts
        reasons.append("the server takes \(methods.sorted().joined(separator: ", "))")
        let error = urlError(
            session.url, code: .userAuthenticationRequired, reason: reasons.joined(separator: "; ")
        ).carrying(sshMethods: methods)
        guard !unusable.isEmpty else { return error }
        return LibSSH2Limit("only the OpenSSH client can use \(unusable.sorted().joined(separator: ", "))", error)
    }

    /// Asks which methods the server accepts now; returns `false` if the login is complete. The list changes once a
    /// method was accepted but is not sufficient.
    private func askMethods() throws -> Bool {
        let list = try session.finish { libssh2_userauth_list(session.pointer, user, UInt32(user.utf8.count)) }
        guard let list else {
            if libssh2_userauth_authenticated(session.pointer) != 0 { return false }
            // This is reported when the server disconnects after too many attempts.
            throw methods == nil || session.isCut ? lost : refusal()
        }
        let offered = Set(String(cString: list).split(separator: ",").map(String.init))
        if let methods, methods != offered {
            refused = []
            attempts = ["what was accepted is not enough"]
        } else if methods == nil, hasNamedKeys, password == nil, !offered.contains("publickey") {
            attempts = ["a key is not enough"]
        }
        methods = offered
        isCurrent = true
        return true
    }

    private var lost: URLError {
        urlError(session.url, code: .networkConnectionLost, reason: "while logging in: \(session.problem)")
    }

    /// Repeats a step until it is done, and returns its result. A connection that ends there says nothing about who may
    /// log in.
    private func attempt(_ step: () throws -> Int32) throws -> Int32 {
        let result = try session.finish(step)
        if result != 0, session.isCut { throw lost }
        return result
    }

    // MARK: Keys

    /// Repeats a step of logging in with a key until it is done, and returns its result.
    private func attemptKey(_ step: () throws -> Int32) throws -> Int32 {
        let result = try attempt(step)
        // The signature was refused, but the server may have accepted the key and require another method.
        if result == LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED, try !askMethods() { return 0 }
        return result
    }

    /// Whether the server has said that it accepts no key, or no further one.
    private var takesNoKey: Bool { isCurrent && methods?.contains("publickey") == false }

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
        guard configuration.ssh.usesAgent else { return false }
        let agent: SSHAgent
        do {
            guard let found = try SSHAgent(session, configuration.ssh.agent) else { return false }
            agent = found
        } catch let problem as AgentProblem {
            attempts.append("the agent \(problem.reason)")
            return false
        }
        let wanted = configuration.ssh.keys.map { _ in files.compactMap(\.publicKey) }
        var offered = 0
        for key in agent.keys where !takesNoKey && wanted?.contains(key) ?? true {
            guard PrivateKeyFile.isUsable(key) else {
                unusable.insert("the agent's \(SSHKeyBlob.algorithm(of: key)) key")
                continue
            }
            offered += 1
            if try attemptKey({ try agent.logIn(user, key) }) == 0 { return true }
        }
        if takesNoKey { return false }
        attempts.append(
            offered == 0 ? "the agent holds no key for it" : "none of the agent's \(offered) keys was taken")
        return false
    }

    /// Tries the key files, those without a passphrase first.
    private func tryFiles(_ files: [PrivateKeyFile]) throws -> Bool {
        for file in files where !file.isUsable { unusable.insert("the key \(file.path)") }
        let usable = files.filter(\.isUsable)
        for file in usable.filter({ !$0.isLocked }) + usable.filter(\.isLocked) where !takesNoKey {
            if try tryFile(file) { return true }
        }
        return false
    }

    private func tryFile(_ file: PrivateKeyFile) throws -> Bool {
        guard file.isLocked else { return note(try logIn(file, passphrase: nil), of: file) }
        var complaint = "the key \(file.path) needs its passphrase"
        guard let interaction else {
            attempts.append(complaint)
            return false
        }
        for _ in 0..<3 {
            let question = SSHQuestion(.passphrase, text: "Passphrase of the key \(file.path): ")
            guard let passphrase = waitFor({ await interaction.answer(question) }) else { break }
            let result = try logIn(file, passphrase: passphrase)
            guard result == LIBSSH2_ERROR_FILE else { return note(result, of: file) }
            complaint = "wrong passphrase for the key \(file.path)"
        }
        attempts.append(complaint)
        noteUnknown(file)
        return false
    }

    /// Records the result of logging in with a key; returns whether it succeeded.
    private func note(_ result: Int32, of file: PrivateKeyFile) -> Bool {
        guard result != 0, !takesNoKey else { return result == 0 }
        guard result != LIBSSH2_ERROR_FILE else {
            attempts.append("the key \(file.path) cannot be read")
            noteUnknown(file)
            return false
        }
        attempts.append("the key \(file.path) was not taken")
        noteUnknown(file)
        return false
    }

    /// Records that a key of unknown type has to be left to the OpenSSH client: it may be an RSA key, for which libssh2
    /// makes no signature that current servers accept, or have a format that libssh2 cannot read.
    private func noteUnknown(_ file: PrivateKeyFile) {
        if file.publicKey == nil { unusable.insert("the key \(file.path)") }
    }

    private func logIn(_ file: PrivateKeyFile, passphrase: String?) throws -> Int32 {
        try file.path.withCString { path in
            try attemptKey {
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
