import FileProviders

/// An opened location: a provider and the item's path within it.
struct Endpoint {
    /// What the user wrote.
    let location: Location
    /// The storage.
    let provider: any FileProvider
    /// The item.
    let path: ItemPath

    /// This end of a transfer.
    var transferEnd: TransferEndpoint { TransferEndpoint(provider, path) }

    /// Whether it was written as `folder/.`: the contents of the folder, whose name is then not used.
    var meansContents: Bool {
        let last = location.text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        return last?.elementsEqual(".".utf8) ?? false
    }

    /// Whether it was written with a slash at its end.
    var endsInSlash: Bool { location.text.last == UInt8(ascii: "/") }

    /// The same endpoint without a trailing slash.
    var asItem: Endpoint { Endpoint(location: location, provider: provider, path: path.asItem) }

    /// Returns another item of the same storage; messages name it in the form of this location.
    func at(_ path: ItemPath) -> Endpoint {
        let text = name(of: path)
        return Endpoint(location: Location(place: location.place, text: text), provider: provider, path: path)
    }

    /// Whether it is a saved remote itself: a folder that exists, unless its disk or server is not what it was.
    var isRemoteItself: Bool { if case .remote(_, let path) = location.place { path.isRoot } else { false } }

    /// Returns an item of this provider in the form in which the location was written; see ``Location/name(of:base:)``.
    func name(of item: ItemPath) -> [UInt8] { location.name(of: item, base: path) }

    /// Returns the provider as a more capable type.
    ///
    /// - Throws: ``Refusal`` that names the capability.
    func capability<Capability>(_ capability: ProviderCapability, as type: Capability.Type) throws -> Capability {
        if let provider = provider as? Capability { return provider }
        throw Refusal(
            location.description, "\(Swift.type(of: provider).type) has no \(capability.rawValue)",
            remedy: "`fp providers` shows which providers have", isAboutAccess: false)
    }
}
