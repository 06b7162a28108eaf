import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: ExtendedFileProvider {
    /// The formats for which all three products make thumbnails without further programs.
    private static let pictures: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "bmp"]

    /// Returns `true` for pictures, unless the server is known not to be a cloud.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool {
        guard server.mayBeCloud, server.detection.known.map({ $0 != nil }) ?? true else { return false }
        guard let name = path.lastComponent?.text, let dot = name.lastIndex(of: ".") else { return false }
        return Self.pictures.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Returns `false`: these servers report nothing about the contents of a file.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool { false }

    /// Returns the server's own small picture, at most 64 by 64 pixels if no size is given. Anything but a picture in
    /// its place, such as an icon page or a login form, is refused.
    public func thumbnailOfFile(path: ItemPath, dimension: PixelSize?) async throws -> Thumbnail {
        guard thumbnailOfFileSupported(path: path) else { throw FileError.unsupported(path, "no thumbnails of this") }
        let cloud = try await cloud(path, "thumbnails")
        let file = try await serverIdentity(of: path)
        let size = dimension ?? PixelSize(width: 64, height: 64)
        let scale = [("x", String(size.width)), ("y", String(size.height)), ("a", "1")]
        let url: URL =
            switch cloud.dialect.previews {
            case .query:
                ([("preview", "1")] + scale + [("c", file.etag?.opaque.filter { $0 != "\"" } ?? "")])
                    .reduce(url(of: path)) { $0.appendingQuery($1.0, $1.1) }
            case .endpoint: cloud.url("index.php", "core", "preview", query: [("fileId", file.number)] + scale)
            }
        let request = HTTPRequest(.get, url, headers: ["Accept": "image/*"])
        let (response, data) = try await session.data(for: request)
        if response.status == 404 { throw FileError.unsupported(path, "the server has no thumbnail of this") }
        guard response.isSuccess else { throw await fileError(for: response, data: data, operation: .fetch(path)) }
        let type = response.headers["Content-Type"]?.split(separator: ";").first.map(String.init) ?? ""
        guard type.lowercased().hasPrefix("image/"), !data.isEmpty else {
            throw cocoaError(path, code: .fileReadCorruptFile, reason: "the server sent no picture, but “\(type)”")
        }
        return Thumbnail(data: Array(data), mediaType: type)
    }

    /// - Throws: `.featureUnsupported`, always.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        throw FileError.unsupported(path, "the server tells nothing of what is inside a file")
    }
}
