import FileProviders
import Foundation

extension Access {
    /// Returns an entry for the list of remotes, and the secret to store for it. Nothing is connected.
    ///
    /// - Parameter isOpen: whether no secret is needed.
    func entry(
        named name: String, at argument: LocationArgument, isOpen: Bool
    ) throws -> (entry: StoredProvider, credential: Credential?) {
        let location = try parse(argument)
        var entry = try registry.entry(named: name, for: url(of: location))
        // A remote is not bound to this moment's proxies.
        var origin = Origin(
            try registry.open(entry), place: location.description, entry: nil, options: try options.absolute, route: nil
        ) { [registry, entry] credential, http, ssh in
            try registry.open(entry, credential: credential, adjusting: http, ssh: ssh)
        }
        try origin.use(nil)
        if let provider = origin.provider as? any ConfigurableFileProvider {
            entry.configuration = try provider.storedConfiguration()
        }
        guard !isOpen, origin.isRemote else { return (entry, nil) }
        if let given = try givenSecret(for: origin) { return (entry, given) }
        return (entry, origin.user == nil || origin.hasKeys || terminal == nil ? nil : try askSecret(of: origin))
    }

    /// Returns whether an entry names a user who needs a secret.
    func wantsSecret(_ entry: StoredProvider) throws -> Bool {
        let provider = try registry.open(entry)
        return provider.identity.account != nil && provider.sshSession == nil
    }

    private func url(of location: Location) throws -> URL {
        switch location.place {
        case .url(let url): return url
        case .local(let path):
            guard let url = URL(string: "file:///\(path.percentEncoded)") else { break }
            return url
        case .remote: break
        }
        throw Refusal(location.description, "a remote is a URL or a local folder")
    }
}

extension ConfigurableFileProvider {
    /// Returns the configuration in the form that an entry stores.
    func storedConfiguration() throws -> JSONValue { try JSONValue(encoding: configuration) }
}
