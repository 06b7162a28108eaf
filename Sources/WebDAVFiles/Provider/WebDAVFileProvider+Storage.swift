import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider {
    /// Asks about the root. That it may not be listed, as the root of a server whose WebDAV is in a folder, is an
    /// answer.
    public func checkReachable() async throws {
        do { _ = try await attributesOfItem(path: .root) } catch  where error.isUnsupported || error.isNoSuchFile {
        } catch let error as any FileProviderHTTPError where [403, 405].contains(error.statusCode) {}
    }

    /// Returns the quota of the collection at `path` (RFC 4331), as far as the server reports it; negative values mean
    /// "not known".
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        try await prepare()
        let (response, data) = try await send(quotaRequest(path: path), for: .fetch(path))
        guard let found = try Multistatus.decode(data, from: response).first else { return nil }
        // A server that knows none of these properties still has the collection.
        if found.status == nil, found.absence != nil { return nil }
        if let failure = found.failure(of: path, at: response.url) { throw failure }
        let properties = found.properties
        let available = properties.quotaAvailable.flatMap { $0 >= 0 ? $0 : nil }
        let used = properties.quotaUsed.flatMap { $0 >= 0 ? $0 : nil }
        guard available != nil || used != nil else { return nil }
        var volume = VolumeObject(name: properties.displayName ?? configuration.url.host())
        volume.url = baseURL
        volume.availableCapacity = available
        volume.usedCapacity = used
        if let available, let used { volume.totalCapacity = available + min(used, .max - available) }
        return volume
    }

    /// Returns the known characteristics of the server's family.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        let family = try await family(near: path)
        var characteristics = ProviderCharacteristics()
        characteristics.family = family.name
        characteristics.settableTimePrecision = family.settableTimePrecision
        characteristics.earliestSettableTime = family.earliestTime
        if let cloud = server.cloud {
            characteristics.freeChecksums = cloud.dialect.checksums
            characteristics.computesChecksums = family.computesChecksums
            characteristics.propagatesDirectoryETags = true
        }
        characteristics.lacks = lacks(family, server.cloud)
        return characteristics
    }

    /// Returns the capabilities that this server lacks although WebDAV servers can have them.
    private func lacks(_ family: ServerFamily, _ cloud: CloudServer?) -> Set<ProviderCapability> {
        var lacks: Set<ProviderCapability> = []
        if family.partialWrite == nil { lacks.insert(.resume) }
        if !family.changesTimes { lacks.insert(.attributes) }
        guard let cloud else {
            return lacks.union([
                .accounts, .changeTokens, .checksums, .favorites, .monitor, .searchIndex, .sharing, .spaces,
                .thumbnails, .trash, .versions,
            ])
        }
        if !cloud.capabilities.hasShares { lacks.insert(.sharing) }
        if !cloud.capabilities.hasTrash { lacks.insert(.trash) }
        if !cloud.capabilities.hasVersions { lacks.insert(.versions) }
        if !cloud.capabilities.supportsEvents { lacks.insert(.monitor) }
        if !cloud.dialect.hasSpaces { lacks.insert(.spaces) }
        return lacks
    }
}
