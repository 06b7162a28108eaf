import FileProviders
import Foundation

extension Access {
    /// Asks the user for what the server required, and uses the answer from now on.
    ///
    /// - Returns: whether trying again makes sense.
    func improve(after error: any Error) throws -> Bool {
        guard let error = error as? URLError, let url = error.userInfo[NSURLErrorFailingURLErrorKey] as? URL,
            let key = origins.first(where: { $0.value.isMeant(by: url) })?.key
        else { return false }
        if terminal != nil, error.serverCertificate != nil { return try askTrust(error, key) }
        guard error.code == .userAuthenticationRequired, let origin = origins[key],
            error.sshMethods?.contains(where: { ["password", "keyboard-interactive"].contains($0) }) ?? true
        else { return false }
        guard terminal != nil else {
            try refuseMissingUser(key)
            try refuseSavedSecret(key, error)
            return false
        }
        guard origin.questions < 3 else { return false }
        if origin.credential != nil { terminal?.say("fp: \(origin.place): user or password refused\n") }
        let credential = try askSecret(of: origin)
        try origins[key]?.use(credential)
        origins[key]?.questions += 1
        return true
    }

    /// Refuses a server that was contacted without the password of the environment, because that password's user is
    /// unknown.
    private func refuseMissingUser(_ key: Origin.Key) throws {
        guard let origin = origins[key], isFirst(key), origin.credential == nil, origin.user == nil,
            environment.password != nil
        else { return }
        throw Refusal(
            origin.place, "there is a password in FP_PASSWORD, but no user for it", remedy: Remedy.user(of: origin))
    }

    /// Reports that it is a saved secret that was refused, since that is used before any from options or environment.
    private func refuseSavedSecret(_ key: Origin.Key, _ error: URLError) throws {
        guard let origin = origins[key], let entry = origin.entry, try savedSecret(for: origin) != nil else { return }
        throw Refusal(
            origin.place, "\(ErrorText.reason(of: error) ?? "refused") with the saved secret",
            remedy: "`fp remote add --replace \(ShownName.escaped(entry.name)) URL` saves another")
    }

    /// Asks for the user's name; `nil` without a terminal.
    func askUser(of origin: Origin) throws -> String? { try terminal?.ask("User for \(origin.place): ") }

    /// Asks for user and password.
    ///
    /// - Parameter isFirst: whether the secrets of options and environment are for this server.
    /// - Throws: ``Refusal`` without a terminal or an answer; it names the other ways.
    func askSecret(of origin: Origin, isFirst: Bool = true) throws -> Credential {
        let remedy =
            isFirst
            ? Remedy.secrets
            : origin.entry != nil
                ? Remedy.savedSecret : destinationSecrets == nil ? Remedy.furtherSecrets : Remedy.otherSecrets
        guard let terminal else { throw Refusal(origin.place, "a password is needed", remedy: remedy) }
        guard let user = try origin.user ?? origin.credential?.user ?? askUser(of: origin), !user.isEmpty,
            let password = try terminal.askSecretly("Password of \(ShownName.escaped(user)) for \(origin.place): "),
            !password.isEmpty
        else { throw Refusal(origin.place, "no password was given", remedy: remedy) }
        return .password(user: user, password: password)
    }

    /// Shows the certificate that a server failed with; a yes trusts it for this server and, for a saved remote,
    /// permanently.
    private func askTrust(_ error: URLError, _ key: Origin.Key) throws -> Bool {
        guard let certificate = error.serverCertificate, let terminal, let origin = origins[key],
            certificate.host == origin.host
        else { return false }
        terminal.say(
            """
            fp: \(ErrorText.reason(of: error) ?? "the certificate is not trusted")
                for          \(ShownName.escaped(certificate.subject))
                signed by    \(ShownName.escaped(certificate.issuer))
                valid        \(ShownName.escaped(certificate.validFrom)) to \(ShownName.escaped(certificate.validUntil))
                fingerprint  SHA256:\(certificate.fingerprint)

            """)
        guard try terminal.confirm("Trust this certificate for \(origin.host)?") else { return false }
        try origins[key]?.trust(certificate.fingerprint)
        if let entry = origin.entry { try remember(certificate.fingerprint, of: origin.host, for: entry) }
        return true
    }

    /// Permanently trusts the certificates of a remote's servers.
    func keep(_ certificates: [String: Set<String>], of location: Location) throws {
        guard case .remote(let name, _) = location.place else { return }
        for (host, fingerprints) in certificates {
            for fingerprint in fingerprints { try remember(fingerprint, of: host, for: remotes.existing(name)) }
        }
    }

    private func remember(_ fingerprint: String, of host: String, for entry: StoredProvider) throws {
        let provider = try registry.open(entry) { $0.pinnedCertificates[host, default: []].insert(fingerprint) }
        guard let configurable = provider as? any ConfigurableFileProvider else { return }
        var entry = entry
        entry.configuration = try configurable.storedConfiguration()
        try remotes.save(entry)
    }
}
