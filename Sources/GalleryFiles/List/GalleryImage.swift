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

    private enum CodingKeys: CodingKey {
        case name, path, width, height
    }

    /// Decodes an image. A size that is no whole number is unknown; the list is not to fail because of it.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        path = try values.decode(String.self, forKey: .path)
        width = try? values.decode(Int.self, forKey: .width)
        height = try? values.decode(Int.self, forKey: .height)
    }
}
