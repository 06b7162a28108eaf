import FileProviding
import Foundation

/// The OpenSSH client, used for the `sftp` subsystem: it brings the user's configuration, agents, jump hosts and
/// hardware keys, and checks the host's key itself.
struct OpenSSHTransport: SSHTransport {
    let configuration: SFTPConfiguration
    /// The password given to the program when it asks for one, and for nothing else.
    let password: String?
    /// Whether the program may ask the user at the terminal.
    let mayAsk: Bool
    /// Whether it connects to where libssh2 connects: the user's configuration, which may redefine names, is not read,
    /// and no key is used that has to be touched.
    var isDirect = false

    func connect(_ waker: Waker) throws -> any SSHChannel {
        let ssh = configuration.ssh
        let answer: PasswordAnswer?
        let child: ChildProcess
        do {
            answer = try password.map { try PasswordAnswer($0) }
            let settings = isDirect ? nil : settings
            var options = settings?.corrections ?? []
            let ciphers = settings.map(OpenSSHCiphers.preferred) ?? OpenSSHCiphers.head
            if let ciphers { options.append("Ciphers=\(ciphers)") }
            let variables = OpenSSHPath.variables.merging(answer?.variables ?? [:]) { $1 }
            child = try ChildProcess(
                ssh.program,
                arguments + options.flatMap { ["-o", $0] } + ["-x", "-s", "--", configuration.host, "sftp"],
                adding: variables)
        } catch {
            throw urlError(
                configuration.url, code: .cannotConnectToHost,
                reason: "the OpenSSH client cannot be started: \(error.localizedDescription)", underlying: error)
        }
        let configuration = configuration
        return DescriptorChannel(child.socket, mayAskFirst: mayAsk) {
            OpenSSHMessages.error(child.said(), exit: child.exitStatus(), configuration)
        } onAnswer: {
            answer?.remove()
        } finish: {
            child.end()
            answer?.remove()
        }
    }

    /// The client's settings for the host.
    var settings: OpenSSHSettings {
        OpenSSHSettings(configuration.ssh.program, arguments + ["--", configuration.host])
    }

    private var arguments: [String] {
        let ssh = configuration.ssh
        var options = [
            "ForwardX11=no", "ForwardAgent=no", "PermitLocalCommand=no", "ClearAllForwardings=yes",
            "RequestTTY=no", "LogLevel=INFO",
            "ServerAliveInterval=15", "ServerAliveCountMax=3", "ConnectTimeout=\(Int(ssh.connectTimeout.rounded(.up)))",
            "StrictHostKeyChecking=\(mayAsk ? "ask" : "yes")",
            // A password that was given is answered once.
            "NumberOfPasswordPrompts=\(mayAsk && password == nil ? 3 : 1)",
        ]
        if password != nil {
            // What was given comes before what may be lying about.
            options.append(
                "PreferredAuthentications=password,keyboard-interactive,gssapi-with-mic,hostbased,publickey")
        } else if !mayAsk {
            options.append("BatchMode=yes")
        }
        if let files = ssh.knownHosts {
            options.append("UserKnownHostsFile=\(files.map(OpenSSHPath.quoted).joined(separator: " "))")
            options.append("GlobalKnownHostsFile=none")
        }
        if let keys = ssh.keys {
            options += ["IdentitiesOnly=yes"] + keys.map { "IdentityFile=\(OpenSSHPath.quoted($0))" }
            if keys.isEmpty { options.append("IdentityFile=none") }
        }
        if !ssh.usesAgent {
            options.append("IdentityAgent=none")
        } else if let agent = ssh.agent {
            options.append("IdentityAgent=\(OpenSSHPath.quoted(agent))")
        }
        var arguments = options.flatMap { ["-o", $0] }
        if let port = configuration.port { arguments += ["-p", String(port)] }
        if let user = configuration.user ?? (isDirect ? NSUserName() : nil) { arguments += ["-l", user] }
        guard isDirect else { return arguments + ssh.programArguments }
        return arguments + [
            "-F", "none", "-o", "PubkeyAcceptedAlgorithms=-sk-*,webauthn-*", "-o", "KexAlgorithms=\(Self.keyExchange)",
        ]
    }

    /// The key exchange, the same as libssh2's. The client's own choice resists quantum computers, which is useless
    /// next to a connection that carries the same files and does not, and takes a seventh of a second of processor
    /// time.
    private static let keyExchange = "^curve25519-sha256"
}
