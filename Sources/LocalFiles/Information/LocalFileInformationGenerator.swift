import FileProviding
import Foundation

/// A set of generators, by file extension, that make thumbnails of local files and read the metadata inside them; open
/// to additions.
///
/// ``standard`` handles pictures, PDF and audio where the package trait `Thumbnails` is enabled, and nothing otherwise.
/// Third parties add their own to a copy and pass it to the provider; a later one replaces an earlier one:
///
/// ```swift
/// var information = LocalFileInformationGenerator.standard
/// information.addThumbnails(for: ["mp4", "mov"]) { file, dimension in try await Films.poster(file, within: dimension) }
/// let provider = try LocalFileProvider(root: folder, information: information)
/// ```
///
/// There is no generator for video: the libraries that decode it cannot be limited in memory and time within a process,
/// and bring more code than everything else here.
public struct LocalFileInformationGenerator: Sendable {
    /// Makes a picture of an open file that fits into a size, never enlarged.
    ///
    /// - Throws: `.fileReadCorruptFile` for a file whose contents do not match its type.
    public typealias Thumbnailing = @Sendable (LocalFileHandle, PixelSize) async throws -> Thumbnail

    /// Reads an open file's properties, in the order in which they are displayed.
    ///
    /// - Throws: as ``Thumbnailing``.
    public typealias Describing = @Sendable (LocalFileHandle) async throws -> FileProperties

    private var thumbnailing: [String: Thumbnailing] = [:]
    private var describing: [String: Describing] = [:]

    /// Creates a set without generators.
    public init() {}

    /// Adds a thumbnail generator for files with these extensions, in lower case, without a dot.
    public mutating func addThumbnails(for extensions: [String], by make: @escaping Thumbnailing) {
        for name in extensions { thumbnailing[name] = make }
    }

    /// Adds a property reader for files with these extensions, in lower case, without a dot.
    public mutating func addProperties(for extensions: [String], by read: @escaping Describing) {
        for name in extensions { describing[name] = read }
    }

    /// The extensions with thumbnails, sorted.
    public var thumbnailExtensions: [String] { thumbnailing.keys.sorted() }

    /// The extensions with properties, sorted.
    public var propertyExtensions: [String] { describing.keys.sorted() }

    func thumbnailing(of path: ItemPath) -> Thumbnailing? { thumbnailing[path.fileExtension] }
    func describing(_ path: ItemPath) -> Describing? { describing[path.fileExtension] }

    /// The generators for pictures, PDF and audio, where the package trait `Thumbnails` is enabled; none without it.
    public static let standard: LocalFileInformationGenerator = {
        var generator = LocalFileInformationGenerator()
        #if Thumbnails
        generator.addPictures()
        generator.addAudio()
        #endif
        return generator
    }()

    /// Returns the error that says why a type has no generator.
    static func refusal(_ path: ItemPath, _ what: String) -> CocoaError {
        #if Thumbnails
        let hint = ""
        #else
        let hint = "; this program was built without the package trait Thumbnails"
        #endif
        let kind = path.fileExtension.isEmpty ? "files without an extension" : ".\(path.fileExtension) files"
        return FileError.unsupported(path, "no \(what) of \(kind)\(hint)")
    }
}

extension ItemPath {
    /// The name's extension in lower case, or "".
    fileprivate var fileExtension: String { lastComponent?.pathExtension ?? "" }
}
