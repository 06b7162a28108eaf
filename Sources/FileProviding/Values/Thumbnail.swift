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
