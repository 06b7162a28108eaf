import ArgumentParser
import FileProviders

/// How servers are reached, and with which credential; the same for every command.
struct AccessOptions: ParsableArguments {
    @Option(
        name: .customLong("password-file"), help: "The password's file; its first line counts.",
        completion: .file())
    var passwordFile: PathArgument?

    @Option(name: .customLong("token-file"), help: "A bearer token's file; its first line counts.", completion: .file())
    var tokenFile: PathArgument?

    @Option(
        name: .customLong("cacert"), help: "Certificates (PEM) of signers to trust beside the system's.",
        completion: .file())
    var certificateAuthorities: PathArgument?

    @Option(
        name: .customLong("pin"),
        help: ArgumentHelp("Trust this certificate and no other.", valueName: "SHA256:FINGERPRINT"))
    var pins: [CertificatePin] = []

    @Option(
        name: .customLong("ssh"),
        help: ArgumentHelp(
            "How to speak SSH: libssh2, or openssh for the OpenSSH client with its configuration (default: libssh2, and "
                + "openssh where that cannot).",
            valueName: "libssh2|openssh"))
    var transport: SSHConfiguration.Transport?

    @Option(
        name: .customLong("identity"), help: "A private key to log in with over SSH, instead of those in ~/.ssh.",
        completion: .file())
    var identities: [PathArgument] = []

    @Option(
        name: .customLong("known-hosts"), help: "The file of known SSH hosts, instead of those in ~/.ssh and /etc/ssh.",
        completion: .file())
    var knownHosts: PathArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Give up after this long without a byte; scales all deadlines (default 30).", valueName: "seconds"))
    var timeout: Double?

    /// The most seconds that an option takes: some thirty years.
    static let longest = 1e9

    func validate() throws {
        if let timeout, !(timeout > 0 && timeout <= Self.longest) {
            throw ValidationError("--timeout needs a number of seconds above 0, up to \(Int(Self.longest))")
        }
        if passwordFile != nil, tokenFile != nil {
            throw ValidationError("--password-file and --token-file exclude each other")
        }
    }
}

extension SSHConfiguration.Transport: ExpressibleByArgument {}

/// Secrets for the second location of a command that has two.
struct DestinationSecretOptions: ParsableArguments {
    @Option(
        name: .customLong("dest-password-file"), help: "The password's file for the destination.", completion: .file())
    var passwordFile: PathArgument?

    @Option(
        name: .customLong("dest-token-file"), help: "A bearer token's file for the destination.", completion: .file())
    var tokenFile: PathArgument?

    func validate() throws {
        if passwordFile != nil, tokenFile != nil {
            throw ValidationError("--dest-password-file and --dest-token-file exclude each other")
        }
    }
}

/// A local file named by an option, byte for byte.
struct PathArgument: ExpressibleByArgument, Sendable {
    let path: LocalPath

    init(argument: String) { self.init(path: LocalPath(bytes: ArgumentText.decode(argument))) }

    private init(path: LocalPath) { self.path = path }

    /// Whether the path is `-`: standard input or standard output.
    var isDash: Bool { path.bytes == [UInt8(ascii: "-")] }

    /// The same file by its path from the root on, for what outlives the working directory.
    var absolute: PathArgument {
        get throws {
            if path.bytes.first == UInt8(ascii: "/") { return self }
            return PathArgument(path: LocalPath(bytes: try Environment.workingDirectory()).appending(path.bytes))
        }
    }
}

extension AccessOptions {
    /// The same options for a saved remote, which is used from any folder.
    var absolute: AccessOptions {
        get throws {
            var options = self
            options.certificateAuthorities = try certificateAuthorities?.absolute
            options.identities = try identities.map { try $0.absolute }
            options.knownHosts = try knownHosts?.absolute
            return options
        }
    }
}

/// The SHA-256 of a certificate: 64 hexadecimal digits, with or without `SHA256:` before and colons between them.
struct CertificatePin: ExpressibleByArgument, Sendable {
    /// The digits in lower case.
    let fingerprint: String

    init?(argument: String) {
        let text = argument.lowercased()
        let digits = (text.hasPrefix("sha256:") ? text.dropFirst(7) : text[...]).filter { $0 != ":" }
        guard digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else { return nil }
        fingerprint = String(digits)
    }
}
