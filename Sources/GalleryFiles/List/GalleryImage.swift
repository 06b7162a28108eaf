/// An image as the API lists it.
struct GalleryImage: Decodable {
    /// The display name, with or without the file's extension.
    let name: String?
    /// The image's path from the gallery's root, raw or percent-encoded.
    let path: String
    /// The width in pixels.
    let width: Int?
    /// The height in pixels.
    let height: Int?
}
