import FileProviding
import Foundation

extension SFTPFileProvider {
    /// Requests LSTAT, and for a link also READLINK.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await tree().attributes(path)
    }

    /// Returns that times are in whole seconds, and that permissions and ranges are supported.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        let client = try await session.client()
        let traits = client.traits
        var characteristics = ProviderCharacteristics()
        characteristics.computesChecksums = true
        characteristics.settableTimePrecision = client.pool.knowledge.keepsTimes == false ? nil : 1_000_000_000
        characteristics.earliestSettableTime = SFTPAttributes.earliestTime
        characteristics.dividesReads = traits.isFileSystem
        characteristics.keepsPermissions = traits.isFileSystem
        characteristics.family = traits.isSequential ? "OpenSSH" : "SFTP version 3"
        if !traits.isFileSystem { characteristics.lacks.insert(.resume) }
        if try await !session.hasLinks(client) { characteristics.lacks.insert(.symlinks) }
        return characteristics
    }

    /// Returns the volume's size and the space left for the user who logs in (`statvfs@openssh.com`); `nil` if the
    /// server does not report it.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        let tree = try await tree()
        guard tree.client.traits.offers(.statvfs) else { return nil }
        let told: RemoteVolume
        do {
            told = try await about(path) { try await tree.client.volume(at: tree.target(path)) }
        } catch  where error.isUnsupported {
            return nil
        }
        var volume = VolumeObject(name: configuration.host)
        volume.url = baseURL
        volume.totalCapacity = told.total
        volume.availableCapacity = told.available
        volume.usedCapacity = told.used
        volume.isReadOnly = told.isReadOnly
        return volume
    }

    /// Opens a connection, and requests nothing else.
    public func checkReachable() async throws { _ = try await session.client() }
}

extension RemoteTree {
    /// Returns an item itself, with its target if it is a link.
    func attributes(_ path: ItemPath) async throws -> FileObject {
        try await about(path) {
            let place = try await place(path)
            if path.isRoot { return FileObject(path: path, try await client.call(.stat(place)).attributes()) }
            let (attributes, target) = try await client.itself(place)
            var file = FileObject(path: path, attributes)
            if file.isSymLink, path.namesDirectory {
                return FileObject(path: path, try await directory(at: path))
            }
            guard file.isDirectory || !path.namesDirectory else { throw FileError.noSuchFile(path) }
            file.linkTarget = target
            return file
        }
    }

    /// Returns the attributes of the directory that a link leads to.
    private func directory(at link: ItemPath) async throws -> SFTPAttributes {
        let attributes = try await client.call(.stat(target(link))).attributes()
        guard attributes.type == .directory else { throw FileError.notADirectory(link) }
        return attributes
    }

    /// Returns the item, or `nil` when there is none.
    func attributesIfPresent(_ path: ItemPath) async throws -> FileObject? {
        do { return try await attributes(path) } catch  where error.isNoSuchFile { return nil }
    }
}

extension SFTPClient {
    /// Returns an item's own attributes, and its target if it is a link. Some servers' LSTAT follows links (ProFTPD,
    /// paramiko), so that only READLINK tells.
    func itself(_ place: [UInt8]) async throws -> (attributes: SFTPAttributes, target: LinkTarget?) {
        guard !traits.isSequential else {
            let found = try await call(.lstat(place)).attributes()
            guard found.type == .symbolicLink else { return (found, nil) }
            return (found, try await call(.readlink(place)).names().first.map { LinkTarget(bytes: $0.name) })
        }
        let replies = try await callAll([.lstat(place), .readlink(place)])
        guard let target = replies[1].target(of: place) else { return (try replies[0].attributes(), nil) }
        var link = (try? replies[0].attributes()) ?? SFTPAttributes()
        if link.type != .symbolicLink { link = .link }
        return (link, LinkTarget(bytes: target))
    }
}
