import FileProviderTesting
import FileProviding
import Foundation

/// Answers requests from a folder.
struct ServedGallery: Sendable {
    let folder: LocalPath
    let options: GalleryServer.Options

    /// What `GET /api/image/` lists.
    private struct Image: Encodable {
        let name: String
        let path: String
        let width: Int?
        let height: Int?
    }

    func reply(to request: ScriptedRequest) -> ScriptedResponder.Script {
        guard request.method == "GET" else { return .reply(405, headers: [("Allow", "GET")]) }
        let parts = request.target.split(separator: "?", maxSplits: 1)
        let path = parts.first ?? ""
        if path.hasPrefix("/file/"), let item = try? ItemPath(percentEncoded: String(path.dropFirst(6))) {
            return ServedFile(location(item))?.reply(to: request, sendsRanges: options.sendsRanges)
                ?? .reply(404, body: "no such image")
        }
        if path.hasPrefix("/api/image/"), let item = try? ItemPath(percentEncoded: String(path.dropFirst(11))) {
            let page = parts.dropFirst().first.flatMap { Int($0.dropFirst("page=".count)) } ?? 0
            return list(item, page: page, at: String(path))
        }
        return .reply(404, body: "no such address")
    }

    private func list(_ category: ItemPath, page: Int, at target: String) -> ScriptedResponder.Script {
        let images = images(in: category)
        if images.isEmpty, !category.isRoot, options.refusesEmptyCategories {
            return .reply(404, body: "no such category")
        }
        let size = options.pageSize ?? max(1, images.count)
        var headers = [("Content-Type", "application/json; charset=utf-8")]
        if (page + 1) * size < images.count { headers.append(("Link", "<\(target)?page=\(page + 1)>; rel=\"next\"")) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let json = try? encoder.encode(images.dropFirst(page * size).prefix(size).map(image)) else {
            return .reply(500)
        }
        return .reply(200, headers: headers, data: json)
    }

    /// The listed files at any depth, in byte order.
    private func images(in category: ItemPath) -> [ItemPath] {
        var (found, pending): ([ItemPath], [ItemPath]) = ([], [category])
        while let directory = pending.popLast() {
            for (name, isDirectory) in entries(of: directory) {
                let path = directory.appending(name)
                if isDirectory { pending.append(path) } else if options.lists(name.text) { found.append(path) }
            }
        }
        return found.sorted()
    }

    private func entries(of directory: ItemPath) -> [(ItemName, isDirectory: Bool)] {
        guard let stream = location(directory).withCString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var found: [(ItemName, isDirectory: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // What is not UTF-8 has no place in JSON (RFC 8259, section 8.1).
            guard let item = try? ItemName(validating: name), String(validating: name, as: UTF8.self) != nil else {
                continue
            }
            found.append((item, entry.pointee.d_type == UInt8(DT_DIR)))
        }
        return found
    }

    private func image(_ path: ItemPath) -> Image {
        let size = ImageHead.size(of: location(path))
        let raw = path.components.map(\.text).joined(separator: "/")
        return Image(
            name: path.lastComponent?.text ?? "", path: options.encodesPaths ? path.percentEncoded : raw,
            width: size?.width, height: size?.height)
    }

    private func location(_ item: ItemPath) -> LocalPath {
        item.components.reduce(folder) { $0.appending($1.bytes) }
    }
}
