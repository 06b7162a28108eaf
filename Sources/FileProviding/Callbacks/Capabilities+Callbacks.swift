import Foundation

extension FileProviderSharing {
    /// A public link to an item.
    @discardableResult
    public func publicLink(
        to path: ItemPath,
        completionHandler:
            @escaping @Sendable (
                _ link: URL?, _ attribute: FileObject?, _ expiration: Date?, _ error: (any Error)?
            ) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await publicLink(to: path)
        } finish: {
            let (link, error) = $0.parts
            completionHandler(link?.url, link?.file, link?.expiration, error)
        }
    }
}

extension ExtendedFileProvider {
    /// A picture of a file's contents.
    @discardableResult
    public func thumbnailOfFile(
        path: ItemPath, dimension: PixelSize?,
        completionHandler: @escaping @Sendable (_ thumbnail: Thumbnail?, _ error: (any Error)?) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await thumbnailOfFile(path: path, dimension: dimension)
        } finish: {
            completionHandler($0.parts.value, $0.parts.error)
        }
    }

    /// What a file says of itself, and the names in the order in which they are shown.
    @discardableResult
    public func propertiesOfFile(
        path: ItemPath,
        completionHandler:
            @escaping @Sendable (
                _ propertiesDictionary: [String: String], _ keys: [String], _ error: (any Error)?
            ) -> Void
    ) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await propertiesOfFile(path: path)
        } finish: {
            let (properties, error) = $0.parts
            let pairs = properties?.properties.map { ($0.key, $0.value) } ?? []
            completionHandler(Dictionary(pairs) { first, _ in first }, properties?.keys ?? [], error)
        }
    }
}

extension FileProviderUndoable {
    /// Takes the last operation back.
    @discardableResult
    public func undo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        CallbackOperation(context: context, operation: nil).start {
            try await undo()
        } finish: {
            completionHandler($0.parts.error)
        }
    }
}
