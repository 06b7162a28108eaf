import FileProviding
import Foundation
import GalleryFiles
import Testing

/// Categories as directories, over a server of a real folder.
@Suite struct CategoryTests {
    private let gallery: TestGallery

    init() throws {
        gallery = try TestGallery(["a.png", "Weibo/b.png", "Weibo/SIREN/c.png", "Weibo/SIREN/d.png", "Zoo/deep/e.png"])
    }

    @Test func aCategoryListsItsImagesAndTheCategoriesDirectlyInIt() async throws {
        let provider = gallery.provider
        #expect(try await provider.paths("").sorted() == ["Weibo/", "Zoo/", "a.png"])
        #expect(try await provider.paths("Weibo").sorted() == ["Weibo/SIREN/", "Weibo/b.png"])
        #expect(try await provider.paths("Zoo") == ["Zoo/deep/"])
    }

    @Test func aWholeTreeTakesOneRequest() async throws {
        let requests = try await gallery.requests {
            let all = try await gallery.provider.paths("", isRecursive: true)
            #expect(
                all == [
                    "Weibo/", "Weibo/SIREN/", "Weibo/SIREN/c.png", "Weibo/SIREN/d.png", "Weibo/b.png", "Zoo/",
                    "Zoo/deep/", "Zoo/deep/e.png", "a.png",
                ])
        }
        #expect(requests == ["GET /api/image/"])
    }

    @Test func anImageTellsItsWidthAndHeight() async throws {
        let image = try #require(
            try await gallery.provider.contentsOfDirectory(path: "Zoo/deep").first { $0.name == "e.png" })
        #expect(image[.imageWidth] == 5)
        #expect(image[.imageHeight] == 7)
        #expect(image.queryValue(for: .width) == .integer(5))
    }

    @Test func anImageAskedAloneTellsSizeTimeAndTag() async throws {
        let requests = try await gallery.requests {
            let image = try await gallery.provider.attributesOfItem(path: "Weibo/b.png")
            #expect(image.size == Int64(try gallery.bytes("Weibo/b.png").count))
            #expect(image.etag != nil && image.modificationTime != nil)
            #expect(image.contentType == "image/png")
        }
        #expect(requests == ["GET /file/Weibo/b.png"])
    }

    @Test func aSearchOverTheGalleryTakesOneRequest() async throws {
        let requests = try await gallery.requests {
            let found = try await gallery.provider.searchFiles(
                path: .root, recursive: true, query: try FileQuery(parsing: "width > 2 AND name ENDSWITH '.png'"))
            #expect(found.map(\.name).sorted() == ["c.png", "d.png", "e.png"])
        }
        #expect(requests.count == 1)
    }

    @Test(arguments: [false, true])
    func aCategoryWithoutImagesDoesNotExist(isRefused: Bool) async throws {
        let gallery = try TestGallery(["Weibo/b.png"]) { $0.refusesEmptyCategories = isRefused }
        let error = await #expect(throws: CocoaError.self) { try await gallery.provider.paths("Nothing") }
        #expect(error?.code == .fileReadNoSuchFile)
        let image = await #expect(throws: CocoaError.self) { try await gallery.provider.paths("Weibo/b.png") }
        #expect(image?.isNotADirectory == true)
        #expect(try await gallery.provider.attributesOfItem(path: "Weibo").isDirectory)
    }

    @Test func anEmptyGalleryIsAnEmptyDirectory() async throws {
        let gallery = try TestGallery([])
        #expect(try await gallery.provider.paths("").isEmpty)
        #expect(try await gallery.provider.attributesOfItem(path: .root).isDirectory)
    }

    @Test func nothingIsEverChanged() async throws {
        let requests = try await gallery.requests {
            for change in [
                FileOperationType.create("x"), .remove("a.png"), .move(source: "a.png", destination: "b.png"),
            ] {
                let error = await #expect(throws: CocoaError.self) { try await gallery.provider.run(change) }
                #expect(error?.code == .featureUnsupported)
            }
            let error = await #expect(throws: CocoaError.self) {
                try await gallery.provider.writeContents(path: "x", contents: Data("x".utf8))
            }
            #expect(error?.code == .featureUnsupported)
        }
        #expect(requests.isEmpty)
    }
}
