import CloudCore
import FileProviding

extension ProviderAdapter {
    /// Returns the provider's thumbnail, if it has any.
    public func thumbnail(of path: ItemPath, within size: PixelSize?) async throws -> Thumbnail {
        guard let provider = provider as? any ExtendedFileProvider else {
            throw FileError.unsupported(path, "this storage makes no thumbnails")
        }
        return try await withRoot { try await provider.thumbnailOfFile(path: place(path), dimension: size) }
    }
}
