import Foundation

extension ExtendedFileProvider {
    /// Returns a thumbnail of a file.
    @discardableResult
    public func thumbnailOfFile(
        path: ItemPath, dimension: PixelSize?,
        completionHandler: @escaping @Sendable (_ thumbnail: Thumbnail?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await thumbnailOfFile(path: path, dimension: dimension)
        }
    }

    /// Returns the properties that a file records about itself, in the order in which they are displayed.
    @discardableResult
    public func propertiesOfFile(
        path: ItemPath,
        completionHandler:
            @escaping @Sendable (
                _ propertiesDictionary: [String: String], _ keys: [String], _ error: (any Error)?
            ) -> Void
    ) -> Progress {
        callback().start {
            try await propertiesOfFile(path: path)
        } finish: {
            let (properties, error) = $0.parts
            let pairs = properties?.properties.map { ($0.key, $0.value) } ?? []
            completionHandler(Dictionary(pairs) { first, _ in first }, properties?.keys ?? [], error)
        }
    }
}
