/// A provider that gives thumbnails and what is written inside of files.
public protocol ExtendedFileProvider: FileProviderBasic {
    /// Whether a thumbnail of such a file is possible, judged by its extension alone: nothing is asked.
    func thumbnailOfFileSupported(path: ItemPath) -> Bool

    /// Whether properties of such a file can be read, judged by its extension alone.
    func propertiesOfFileSupported(path: ItemPath) -> Bool

    /// A picture of the file's contents that fits into `dimension`, never enlarged; `nil` leaves the size to the provider.
    ///
    /// - Throws: `.featureUnsupported` for a type without thumbnails, by extension alone; `.fileReadNoSuchFile`.
    func thumbnailOfFile(path: ItemPath, dimension: PixelSize?) async throws -> Thumbnail

    /// What the file says of itself (EXIF, PDF information, audio tags).
    ///
    /// - Throws: as ``thumbnailOfFile(path:dimension:)``.
    func propertiesOfFile(path: ItemPath) async throws -> FileProperties
}

/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable, Codable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size of so many pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A small picture, encoded: Linux has no image class that all programs share.
public struct Thumbnail: Hashable, Sendable {
    /// The encoded picture.
    public var data: [UInt8]
    /// Its media type, such as `image/jpeg`.
    public var mediaType: String
    /// Its size, where known.
    public var size: PixelSize?

    /// An encoded picture.
    public init(data: [UInt8], mediaType: String, size: PixelSize? = nil) {
        self.data = data
        self.mediaType = mediaType
        self.size = size
    }
}

/// A file's own properties in the order in which they are shown.
public struct FileProperties: Hashable, Sendable {
    /// A property's name and value as text.
    public struct Property: Hashable, Sendable {
        /// The name for people: `Camera`, `Album`.
        public var key: String
        /// The value for people: `f/2.8`, `3:41`.
        public var value: String

        /// A property as it is shown.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The properties in key order.
    public var properties: [Property]

    /// Properties in the order in which they are shown.
    public init(_ properties: [Property]) { self.properties = properties }

    /// The names in order.
    public var keys: [String] { properties.map(\.key) }

    /// The value of the first property of this name.
    public subscript(key: String) -> String? { properties.first { $0.key == key }?.value }
}
