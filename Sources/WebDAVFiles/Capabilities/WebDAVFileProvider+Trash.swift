import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: TrashProvider {
    /// Returns the items that were removed from below the provider's root, newest first.
    ///
    /// - Throws: `.featureUnsupported` for a server without trash.
    public func trashedItems() async throws -> [TrashedItem] {
        let cloud = try await trashCloud(.root)
        let names = TrashProperties(cloud.dialect.trash)
        let list = listRequest(
            cloud.trash, DAVRequestBody.propfind([.resourceType, .contentLength], others: names.all))
        let items = try await members(list, keeping: names.all, for: .fetch(.root)).compactMap {
            trashedItem($0, names)
        }
        return items.enumerated().sorted { a, b in
            let (one, other) = (a.element.deletionDate ?? .distantPast, b.element.deletionDate ?? .distantPast)
            return one != other ? one > other : a.offset > b.offset
        }.map(\.element)
    }

    /// Removes the item, and looks it up in the trash.
    public func trash(path: ItemPath) async throws -> TrashedItem {
        _ = try await trashCloud(path)
        let known = Set(try await trashedItems().map(\.id))
        try await perform(.remove(path), in: OperationContext())
        guard let item = try await trashedItems().first(where: { $0.originalPath == path && !known.contains($0.id) })
        else { throw cocoaError(path, code: .fileWriteUnknown, reason: "it was removed, but is not in the trash") }
        return item
    }

    /// Moves the item back by the server's own means; never over another item.
    public func restore(_ item: TrashedItem, to path: ItemPath?) async throws {
        let cloud = try await trashCloud(path ?? item.originalPath ?? .root)
        guard let target = path ?? item.originalPath else {
            throw cocoaError(item.id, code: .fileWriteInvalidFileName, reason: "the trash does not tell where it was")
        }
        guard try await itemIfPresent(target) == nil else { throw FileError.exists(target) }
        guard cloud.dialect.trash == .restoreFolder else {
            return try await move(item, to: try destination(target, cloud), cloud, target)
        }
        try await restoreByFolder(item, to: target, cloud)
    }

    /// Restores an item on Nextcloud, which restores only to the original place, under a name of its own choice if that
    /// is taken, or to the home's root if the folder is gone. So the item is then looked up by its identifier, and
    /// moved on.
    private func restoreByFolder(_ item: TrashedItem, to target: ItemPath, _ cloud: CloudServer) async throws {
        let identity = metaRequest(try url(of: item, cloud), DAVRequestBody.propfind([.fileID]))
        let (response, data) = try await send(identity, for: .fetch(target))
        guard let original = item.originalPath, let name = original.lastComponent, let parent = original.parent,
            let number = try Multistatus.decode(data, from: response).first?.properties.fileID
        else { throw FileError.unsupported(target, "the trash does not tell where it was") }
        if let folder = target.parent, try await itemIfPresent(folder)?.isDirectory != true {
            throw FileError.noSuchFile(folder, writing: true)
        }
        let exit = cloud.url("remote.php", "dav", "trashbin", cloud.user, "restore", name.text)
        try await move(item, to: exit, cloud, target)
        guard let place = try await place(of: number, in: [homePath(of: parent), .root], cloud) else {
            throw cocoaError(
                target, code: .fileWriteUnknown, reason: "the server restored it, but it is not found in \(parent)")
        }
        if place != homePath(of: target) {
            var request = HTTPRequest(.move, cloud.file(place))
            request.headers["Destination"] = try destination(target, cloud).absoluteString
            request.headers["Overwrite"] = "F"
            request.isSafeToRepeat = false
            try await sendWhole(request, for: .move(source: original, destination: target))
        }
    }

    /// Returns where in the home the item of this number is, if it is directly in one of these folders.
    private func place(of number: String, in folders: [ItemPath], _ cloud: CloudServer) async throws -> ItemPath? {
        for folder in folders {
            let list = listRequest(
                cloud.file(folder.asDirectory), DAVRequestBody.propfind([.resourceType, .fileID]))
            do {
                let found = try await members(list, for: .fetch(folder)).first { $0.properties.fileID == number }
                if let name = found?.lastComponent { return try folder.appending(name) }
            } catch  where error.isNoSuchFile {}
        }
        return nil
    }

    /// Permanently removes one item, or with `nil` everything that ``trashedItems()`` lists.
    public func emptyTrash(_ item: TrashedItem?) async throws {
        let cloud = try await trashCloud(.root)
        let items = if let item { [item] } else { try await trashedItems() }
        for item in items {
            var request = HTTPRequest(.delete, try url(of: item, cloud))
            request.retriesWhenLocked = true
            try await takeOut(item, by: request, for: .remove(item.originalPath ?? .root))
        }
    }

    /// Sends a request after which an item is no longer in the trash. If its reply is lost, the trash tells whether it
    /// was carried out; sent again, it would report that there is no such item.
    private func takeOut(
        _ item: TrashedItem, by request: HTTPRequest, for operation: FileOperationType
    ) async throws {
        var request = request
        request.isSafeToRepeat = false
        do { try await sendWhole(request, for: operation) } catch  where error.isAnswerMissing {
            guard try await !trashedItems().contains(where: { $0.id == item.id }) else { throw error }
        }
    }

    private func trashCloud(_ path: ItemPath) async throws -> CloudServer {
        try await cloud(path, "trash", where: \.hasTrash)
    }

    private func move(_ item: TrashedItem, to target: URL, _ cloud: CloudServer, _ path: ItemPath) async throws {
        let request = HTTPRequest(
            "MOVE", try url(of: item, cloud), headers: ["Destination": target.absoluteString, "Overwrite": "F"])
        try await takeOut(item, by: request, for: .move(source: path, destination: path))
    }

    /// Returns the URL of a trashed item.
    ///
    /// - Throws: for an invalid identifier: an empty one would mean the whole trash.
    private func url(of item: TrashedItem, _ cloud: CloudServer) throws -> URL {
        let name = try ItemName(validating: item.id)
        return URL(string: cloud.trash.absoluteString + ItemPath.root.appending(name).percentEncoded) ?? cloud.trash
    }

    private func trashedItem(_ response: MultistatusResponse, _ names: TrashProperties) -> TrashedItem? {
        let properties = response.properties
        guard let original = properties.other[names.location], let path = path(inHome: original), !path.isRoot,
            let id = response.lastComponent
        else { return nil }
        let seconds = properties.other[names.time].flatMap(TimeInterval.init)
        return TrashedItem(
            id: id, originalPath: path, deletionDate: seconds.map { Date(timeIntervalSince1970: $0) },
            size: properties.contentLength)
    }
}

/// The names of the properties of a trashed item.
struct TrashProperties {
    /// Where it was in the home.
    let location: XMLName
    /// When it was removed, in seconds since 1970.
    let time: XMLName
    var all: [XMLName] { [location, time] }

    init(_ layout: CloudDialect.TrashLayout) {
        let isNextcloud = layout == .restoreFolder
        let namespace = isNextcloud ? XMLName.nextcloud : XMLName.ownCloud
        location = XMLName("trashbin-original-location", namespace: namespace)
        time = XMLName(isNextcloud ? "trashbin-deletion-time" : "trashbin-delete-timestamp", namespace: namespace)
    }
}

extension MultistatusResponse {
    /// The last name of the reference, decoded.
    var lastComponent: String? {
        String(decoding: href, as: UTF8.self).split(separator: "/").last.flatMap { String($0).removingPercentEncoding }
    }
}
