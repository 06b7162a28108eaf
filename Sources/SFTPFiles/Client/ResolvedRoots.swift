import FileProviding

/// The locations of configured roots on the server, as the server reports them.
final class ResolvedRoots: Sendable {
    private struct Key: Hashable {
        let base: SFTPConfiguration.Base
        let root: ItemPath
        let enclosing: [ItemPath]
    }

    private let known = Locked<[Key: [UInt8]]>([:])

    /// Returns the root's absolute path without links; `/` has none, and costs no request.
    ///
    /// - Parameter enclosing: the roots that it must not leave, the outermost one first.
    func path(
        for configuration: SFTPConfiguration, within enclosing: [ItemPath], _ client: SFTPClient
    ) async throws -> [UInt8] {
        let key = Key(base: configuration.base, root: configuration.root, enclosing: enclosing)
        if let path = known.withLock({ $0[key] }) { return path }
        let path = try await resolve(configuration, within: enclosing, client)
        known.withLock { $0[key] = path }
        return path
    }

    private func resolve(
        _ configuration: SFTPConfiguration, within enclosing: [ItemPath], _ client: SFTPClient
    ) async throws -> [UInt8] {
        let root = configuration.root
        if let next = enclosing.last, let inner = root.relative(to: next), !inner.isRoot {
            var outer = configuration
            outer.root = next
            let place = try await path(for: outer, within: Array(enclosing.dropLast()), client)
            guard let path = try await about(root, { try await client.resolve(inner, in: place) }) else {
                throw leadsOutside(root)
            }
            return path
        }
        var path = try await base(configuration.base, client)
        if !configuration.root.isRoot { path = path.joined(configuration.root.bytes) }
        if path != [UInt8(ascii: "/")] {
            do {
                let names = try await client.call(.realpath(path)).names()
                if let name = names.first?.name, name.first == UInt8(ascii: "/") { path = name }
            } catch let status as SFTPStatus {
                throw sftpError(configuration.root, status, writing: false)
            }
        }
        return path
    }

    private func base(_ base: SFTPConfiguration.Base, _ client: SFTPClient) async throws -> [UInt8] {
        switch base {
        case .fileSystem: return [UInt8(ascii: "/")]
        case .home(nil):
            // Any other directory would be the wrong place.
            guard let home = client.traits.home else {
                throw FileError.unsupported("~", "this server does not tell where the home is")
            }
            return home
        case .home(let user?):
            let call: SFTPCall
            if client.traits.offers(.expandPath) {
                call = .expandPath(Array("~\(user)".utf8))
            } else if client.traits.offers(.homeDirectory) {
                call = .homeDirectory(of: Array(user.utf8))
            } else {
                throw FileError.unsupported("~\(user)", "this server does not tell where homes are")
            }
            do {
                if let home = try await client.call(call).names().first?.name { return home }
            } catch let status as SFTPStatus {
                throw sftpError("~\(user)", status, writing: false)
            }
            throw FileError.noSuchFile("~\(user)")
        }
    }
}

extension [UInt8] {
    /// Returns an absolute path on the server with a relative one appended.
    func joined(_ relative: [UInt8]) -> [UInt8] {
        if relative.isEmpty { return self }
        return last == UInt8(ascii: "/") ? self + relative : self + [UInt8(ascii: "/")] + relative
    }

    /// Returns whether the absolute path is `directory` or lies below it.
    func isInside(_ directory: [UInt8]) -> Bool {
        if directory == [UInt8(ascii: "/")] { return true }
        return starts(with: directory) && (count == directory.count || self[directory.count] == UInt8(ascii: "/"))
    }
}
