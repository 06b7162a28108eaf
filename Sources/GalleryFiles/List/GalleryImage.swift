/// An image as the API lists it.
struct GalleryImage: Decodable {
    /// The name for people; with or without the file's extension.
    let name: String?
    /// Where the image is, from the gallery's root; raw or percent-encoded.
    let path: String
    /// Pixels from left to right.
    let width: Int?
    /// Pixels from top to bottom.
    let height: Int?
}
