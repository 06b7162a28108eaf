import FileProviding
import Foundation
import GalleryFiles
import GalleryServer

/// A folder of images on this machine, served and opened; gone with the last reference.
final class TestGallery: Sendable {
    let folder: URL
    let server: GalleryServer
    let provider: GalleryFileProvider

    /// - Parameter images: paths from the gallery's root; each becomes a PNG as wide as its index is high, from 1 on.
    init(_ images: [String], _ adjust: (inout GalleryServer.Options) -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let root = LocalPath(folder.path(percentEncoded: false))
        let pictures = (1...min(200, max(1, images.count))).map { SamplePNG.data(width: $0, height: 7) }
        for directory in Set(images.map { ($0 as NSString).deletingLastPathComponent }) {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + directory, withIntermediateDirectories: true)
        }
        for (index, image) in images.enumerated() {
            let file = folder.path + "/" + image
            if index < pictures.count {
                try pictures[index].write(to: URL(filePath: file))
            } else {
                try FileManager.default.linkItem(
                    atPath: folder.path + "/" + images[index % pictures.count], toPath: file)
            }
        }
        var options = GalleryServer.Options()
        adjust(&options)
        server = try GalleryServer(serving: root, options: options)
        provider = try GalleryFileProvider(configuration: GalleryConfiguration(url: server.url), credential: nil)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// An image's bytes on the disk.
    func bytes(_ image: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.path + "/" + image)) }

    /// The requests that `work` makes.
    func requests(during work: () async throws -> Void) async throws -> [String] {
        let before = server.requests.count
        try await work()
        return Array(server.requests.dropFirst(before))
    }
}

extension GalleryFileProvider {
    /// A provider of a server that answers with anything.
    init(_ url: URL) throws { try self.init(configuration: GalleryConfiguration(url: url), credential: nil) }

    /// The paths of a category's entries, directories with a slash behind.
    func paths(_ category: ItemPath, isRecursive: Bool = false) async throws -> [String] {
        let listing = isRecursive ? recursiveListing(path: category) : listing(path: category)
        return try await listing.collect().map { String($0.path.description.dropFirst()) + ($0.isDirectory ? "/" : "") }
    }
}
