import FileProviding
import Foundation
import GalleryFiles
import Testing

/// Twenty thousand images in two hundred categories, on the disk and over HTTP.
@Suite struct LargeGalleryTests {
    private static let images = (0..<20_000).map { "year \($0 / 2_000)/album \($0 % 20)/不是 \($0).png" }

    @Test func twentyThousandImagesAreListedWithTheirSizesInOneRequest() async throws {
        let gallery = try TestGallery(Self.images)
        let requests = try await gallery.requests {
            var (files, directories) = (0, 0)
            for try await page in gallery.provider.recursiveListing(path: .root) {
                files += page.count { $0.isRegularFile && $0[.imageWidth] != nil }
                directories += page.count(where: \.isDirectory)
            }
            #expect(files == 20_000)
            #expect(directories == 210)
        }
        #expect(requests.count == 1)
        #expect(try await gallery.provider.paths("").count == 10)
        let album = try await gallery.provider.paths("year 3/album 7")
        #expect(album.count == 100)
        let last = try #require(album.last)
        #expect(try await gallery.provider.contents(path: ItemPath(validating: last)) == gallery.bytes(last))
    }
}
