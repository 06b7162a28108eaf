/// A provider that offers thumbnails and the metadata inside files.
public protocol ExtendedFileProvider: FileProviderBasic {
    /// Returns whether a thumbnail of such a file is possible, judged by its extension alone, without any request.
    func thumbnailOfFileSupported(path: ItemPath) -> Bool

    /// Returns whether properties of such a file can be read, judged by its extension alone.
    func propertiesOfFileSupported(path: ItemPath) -> Bool

    /// Returns a picture of the file's contents that fits into `dimension`, never enlarged; `nil` leaves the size to
    /// the provider.
    ///
    /// - Throws: `.featureUnsupported` for a type without thumbnails, by extension alone; `.fileReadNoSuchFile`.
    func thumbnailOfFile(path: ItemPath, dimension: PixelSize?) async throws -> Thumbnail

    /// Returns the metadata inside a file (EXIF, PDF information, audio tags).
    ///
    /// - Throws: as ``thumbnailOfFile(path:dimension:)``.
    func propertiesOfFile(path: ItemPath) async throws -> FileProperties
}
