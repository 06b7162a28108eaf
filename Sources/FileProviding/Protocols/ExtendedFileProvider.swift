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

/// A width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable {
    /// The width.
    public var width: Int
    /// The height.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A small picture, encoded, because Linux has no image class that all programs share.
public struct Thumbnail: Hashable, Sendable {
    /// The encoded picture.
    public var data: [UInt8]
    /// Its media type, such as `image/jpeg`.
    public var mediaType: String
    /// Its size, where known.
    public var size: PixelSize?

    /// Creates a thumbnail from an encoded picture.
    public init(data: [UInt8], mediaType: String, size: PixelSize? = nil) {
        self.data = data
        self.mediaType = mediaType
        self.size = size
    }
}

/// The metadata inside a file, in the order in which it is displayed.
public struct FileProperties: Hashable, Sendable {
    /// A property's name and value as text.
    public struct Property: Hashable, Sendable {
        /// The display name: `Camera`, `Album`.
        public var key: String
        /// The display value: `f/2.8`, `3:41`.
        public var value: String

        /// Creates a property as it is displayed.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The properties, in the order in which they are displayed.
    public var properties: [Property]

    /// Creates the properties, in the order in which they are displayed.
    public init(_ properties: [Property]) { self.properties = properties }

    /// The names, in order.
    public var keys: [String] { properties.map(\.key) }

    /// The value of the first property with this name.
    public subscript(key: String) -> String? { properties.first { $0.key == key }?.value }
}
