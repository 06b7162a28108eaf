#if Thumbnails
import FileProviding

/// Helpers for providers whose servers give pictures of the wrong size, or none of documents.
extension ExtendedFileProvider {
    /// Renders a page of a local PDF file, counted from 1, so that it fits into `size`; it is never enlarged beyond its
    /// size at 72 pixels per inch.
    ///
    /// - Throws: `.fileReadNoSuchFile`; `.fileReadCorruptFile`, also for a page that the file does not have.
    public static func convertToImage(pdf file: LocalPath, page: Int = 1, within size: PixelSize) async throws
        -> Thumbnail
    {
        let open = try LocalFileHandle(reading: file)
        return try await LocalThreads.run {
            do {
                guard page > 0 else { throw InformationProblem.damaged("pages count from 1") }
                return try Pictures.thumbnail(of: open, page: page - 1, within: size)
            } catch let problem as InformationProblem {
                throw problem.error(file)
            }
        }
    }

    /// Returns the picture scaled down to fit into `size`; a picture that already fits is returned unchanged.
    ///
    /// - Throws: `.fileReadCorruptFile` when it is not a picture.
    public static func scaleDown(image: Thumbnail, to size: PixelSize) async throws -> Thumbnail {
        if let own = image.size, own.width <= size.width, own.height <= size.height { return image }
        return try await LocalThreads.run {
            do {
                return try Pictures.shrink(image.data, to: size)
            } catch let problem as InformationProblem {
                throw problem.error("picture")
            }
        }
    }
}
#endif
