import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: VersionProvider {
    /// Returns the earlier versions of a file, newest first.
    ///
    /// - Throws: `.featureUnsupported` for a server without versions.
    public func versions(path: ItemPath) async throws -> [FileVersionRecord] {
        let cloud = try await versionsCloud(path)
        let file = try await versioned(path)
        let body = DAVRequestBody.propfind([.resourceType, .contentLength, .lastModified])
        // Nextcloud lists the present version too, which can neither be read nor restored.
        let present = cloud.dialect.versions == .restoreFolder ? file.modificationTime.map { String($0.seconds) } : nil
        let folder = versionsURL(of: file, cloud)
        let records: [FileVersionRecord] = try await members(listRequest(folder, body), for: .fetch(path)).compactMap {
            guard let id = $0.lastComponent, id != present else { return nil }
            return FileVersionRecord(
                id: id, size: $0.properties.contentLength, modificationTime: $0.properties.lastModified)
        }
        return records.enumerated().sorted { a, b in
            let (one, other) = (a.element.modificationTime, b.element.modificationTime)
            guard let one, let other, one != other else { return a.offset < b.offset }
            return one.nanoseconds > other.nanoseconds
        }.map(\.element)
    }

    /// Returns the bytes of an earlier version as they arrive.
    public func read(
        _ version: FileVersionRecord, of path: ItemPath, in context: OperationContext
    ) async throws -> FileContents {
        let cloud = try await versionsCloud(path)
        let (response, bytes) = try await session.stream(
            for: HTTPRequest(.get, try await url(of: version, path, cloud)))
        guard response.hasContents else {
            throw try await fileError(for: response, data: bytes.collectRefusal(), operation: .fetch(path))
        }
        let head = FileContents.Head(
            length: response.contentLength, totalSize: response.contentLength,
            version: FileVersion(size: version.size, modificationTime: version.modificationTime),
            contentType: response.headers["Content-Type"])
        return FileContents(head: head, bytes: bytes)
    }

    /// Restores by the server's own means: the current version becomes an earlier one.
    public func restore(_ version: FileVersionRecord, of path: ItemPath) async throws {
        let cloud = try await versionsCloud(path)
        let source = try await url(of: version, path, cloud)
        let isMove = cloud.dialect.versions == .restoreFolder
        var request = HTTPRequest(isMove ? .move : .copy, source)
        let target =
            isMove
            ? cloud.url("remote.php", "dav", "versions", cloud.user, "restore", version.id)
            : try destination(path, cloud)
        request.headers["Destination"] = target.absoluteString
        request.headers["Overwrite"] = "T"
        request.isSafeToRepeat = false
        try await sendWhole(request, for: .modify(path))
    }

    private func versionsCloud(_ path: ItemPath) async throws -> CloudServer {
        try await cloud(path, "versions", where: \.hasVersions)
    }

    private func versioned(_ path: ItemPath) async throws -> ServerIdentity {
        let file = try await serverIdentity(of: path)
        guard !file.isDirectory else { throw FileError.isADirectory(path) }
        return file
    }

    private func versionsURL(of file: ServerIdentity, _ cloud: CloudServer) -> URL {
        switch cloud.dialect.versions {
        case .meta: cloud.url("remote.php", "dav", "meta", file.id, "v", "")
        case .restoreFolder: cloud.url("remote.php", "dav", "versions", cloud.user, "versions", file.number, "")
        }
    }

    private func url(of version: FileVersionRecord, _ path: ItemPath, _ cloud: CloudServer) async throws -> URL {
        let name = try ItemName(validating: version.id)
        let folder = versionsURL(of: try await versioned(path), cloud)
        return URL(string: folder.absoluteString + ItemPath.root.appending(name).percentEncoded) ?? folder
    }
}
