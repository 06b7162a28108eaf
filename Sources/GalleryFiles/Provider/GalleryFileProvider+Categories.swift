import FileProviding
import Foundation
import HTTPFiles

extension GalleryFileProvider {
    /// Returns the images and the categories directly in a category. Makes one request, or one for each page of the
    /// server's list.
    public func listing(path: ItemPath) -> DirectoryListing { tree(path, isRecursive: false) }

    /// Returns every image and category below a category, from the same flat list: with as many requests as for one
    /// directory.
    public func recursiveListing(path: ItemPath) -> DirectoryListing { tree(path, isRecursive: true) }

    /// Returns that trees are listed at once and times are reported to the second.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        var characteristics = ProviderCharacteristics()
        characteristics.listsTreesAtOnce = true
        return characteristics
    }

    private func tree(_ path: ItemPath, isRecursive: Bool) -> DirectoryListing {
        DirectoryListing {
            let images = Locked(defaultListing(path: path).makeAsyncIterator())
            let folding = Locked(CategoryFolding(category: path, isRecursive: isRecursive))
            return {
                var images = images.withLock { $0 }
                if let page = try await images.next() { return try folding.withLock { try $0.fold(page) } }
                if folding.withLock({ $0.isEmpty }), !path.isRoot { throw await emptyCategory(path) }
                return nil
            }
        }
    }

    /// Looks up an image by its own head, and a category by an image in it. For the root, the beginning of its list is
    /// requested.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        if path.isRoot {
            _ = try await listing(path: path).entries.first { _ in true }
            return FileObject(path: path, type: .directory)
        }
        if path.namesDirectory {
            guard try await isCategory(path) else { throw FileError.noSuchFile(path) }
            return FileObject(path: path, type: .directory)
        }
        do {
            let (response, body) = try await session.stream(for: attributesRequest(path: path))
            guard response.isSuccess || response.status == 416 else {
                throw try await fileError(for: response, data: body.collectRefusal(), operation: .fetch(path))
            }
            // The page beside a 416 is about an empty image, which has no range.
            if response.isSuccess {
                try await HTTPSession.$isBesideReply.withValue(true) {
                    try await confirmContents(of: path, response: response)
                }
            }
            return try attributes(of: path, response: response, data: Data())
        } catch  where error.isADirectory {
            return FileObject(path: path, type: .directory)
        }
    }

    /// Refuses a page of HTML in an image's place: a server's own index of a category, or a login form.
    public func confirmContents(of path: ItemPath, response: HTTPResponse) async throws {
        guard response.isWebPage else { return }
        throw await isCategory(orUnknown: path) ? FileError.isADirectory(path) : WebPage.error(response.url)
    }

    /// Distinguishes a category from an image and from a missing item: a server that has no file there may have images
    /// below it, and one that has no list may have a file.
    public func fileError(for response: HTTPResponse, data: Data, operation: FileOperationType) async -> any Error {
        let error = defaultFileError(for: response, data: data, operation: operation)
        guard case .fetch(let path) = operation, [403, 404, 410].contains(response.status), !path.isRoot else {
            return error
        }
        if path.namesDirectory { return await isImage(path) ? FileError.notADirectory(path) : error }
        do { return try await isCategory(path) ? FileError.isADirectory(path) : error } catch { return error }
    }

    /// Returns the error that an empty list means: the path is an image's, or nothing is there.
    private func emptyCategory(_ path: ItemPath) async -> any Error {
        await isImage(path) ? FileError.notADirectory(path) : FileError.noSuchFile(path)
    }

    private func isImage(_ path: ItemPath) async -> Bool {
        guard let request = try? attributesRequest(path: path),
            let (response, _) = try? await session.stream(for: request)
        else { return false }
        return response.status == 416 || response.isSuccess && !response.isWebPage
    }

    private func isCategory(orUnknown path: ItemPath) async -> Bool { (try? await isCategory(path)) ?? false }

    /// Returns whether the list of `path` has an image that lies below it; reads no further than the first.
    private func isCategory(_ path: ItemPath) async throws -> Bool {
        let (response, body) = try await session.stream(for: pageRequest(path: path, token: nil))
        guard response.isSuccess else {
            guard response.status != 404, response.status != 410 else { return false }
            throw try await defaultFileError(for: response, data: body.collectRefusal(), operation: .fetch(path))
        }
        var decoder = GalleryPageDecoder()
        try decoder.begin(response)
        for try await bytes in body {
            if let image = try decoder.consume(bytes).first { return image.path != path }
        }
        guard let image = try decoder.finish().entries.first else { return false }
        return image.path != path
    }
}
