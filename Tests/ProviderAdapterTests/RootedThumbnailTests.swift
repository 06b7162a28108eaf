import FileProviders
import Foundation
import ProviderAdapter
import Testing

/// Thumbnails of a vault whose root is a folder of the storage.
@Suite struct RootedThumbnailTests {
    @Test("a thumbnail is that of the vault's file, not of the storage's at the same path")
    func belowTheRoot() async throws {
        let provider = PictureProvider()
        try await provider.base.createDirectory(path: "/files")
        try await provider.base.writeContents(path: "/files/a.png", contents: Data())
        let adapter = ProviderAdapter(provider, root: "/files")
        let thumbnail = try await adapter.thumbnail(of: "/a.png", within: nil)
        #expect(String(decoding: thumbnail.data, as: UTF8.self) == "/files/a.png")

        try await provider.base.removeItem(path: "/files")
        await #expect(throws: URLError.self) { try await adapter.thumbnail(of: "/a.png", within: nil) }
    }
}

/// A storage in memory whose pictures show their own paths.
private final class PictureProvider: ExtendedFileProvider {
    static let type = "Pictures"

    let base = MemoryFileProvider()

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> PictureProvider { self }
    func attributesOfItem(path: ItemPath) async throws -> FileObject { try await base.attributesOfItem(path: path) }
    func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }
    func thumbnailOfFileSupported(path: ItemPath) -> Bool { true }
    func propertiesOfFileSupported(path: ItemPath) -> Bool { false }

    func thumbnailOfFile(path: ItemPath, dimension: PixelSize?) async throws -> Thumbnail {
        let item = try await base.attributesOfItem(path: path)
        return Thumbnail(data: Array(item.path.description.utf8), mediaType: "text/plain")
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties { throw FileError.unsupported(path, "no") }
}
