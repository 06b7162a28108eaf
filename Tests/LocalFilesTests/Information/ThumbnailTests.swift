#if Thumbnails
import FileProviding
import Foundation
import LocalFiles
import Testing

/// Thumbnails of real files of every type, upright, never enlarged.
@Suite struct ThumbnailTests {
    private let samples: SampleFiles

    init() throws { samples = try SampleFiles() }

    @Test(arguments: [
        ("photo.jpg", 40, 60, "image/jpeg"), ("picture.png", 60, 40, "image/jpeg"),
        ("picture.webp", 60, 40, "image/jpeg"), ("picture.heic", 60, 40, "image/jpeg"),
        ("picture.gif", 60, 40, "image/jpeg"), ("picture.tiff", 60, 40, "image/jpeg"),
        ("drawing.svg", 60, 40, "image/png"), ("pages.pdf", 60, 40, "image/png"),
    ])
    func aPictureFitsIntoTheSize(_ name: String, _ width: Int, _ height: Int, _ type: String) async throws {
        let path = try ItemPath(validating: name)
        #expect(samples.provider.thumbnailOfFileSupported(path: path))
        let thumbnail = try await samples.provider.thumbnailOfFile(path: path, dimension: .init(width: 60, height: 60))
        #expect(thumbnail.size == PixelSize(width: width, height: height))
        #expect(thumbnail.mediaType == type)
        let magic: [UInt8] = type == "image/png" ? [0x89, 0x50, 0x4E, 0x47] : [0xFF, 0xD8, 0xFF]
        #expect(thumbnail.data.starts(with: magic))
    }

    @Test func nothingIsEnlarged() async throws {
        for name in ["photo.jpg", "picture.heic", "drawing.svg", "pages.pdf"] {
            let size = try await samples.provider.thumbnailOfFile(
                path: ItemPath(validating: name), dimension: .init(width: 4_000, height: 4_000)
            ).size
            #expect(size == (name == "photo.jpg" ? .init(width: 80, height: 120) : .init(width: 120, height: 80)))
        }
    }

    @Test func aPageOfAPDFBecomesAnImage() async throws {
        let size = PixelSize(width: 60, height: 60)
        let file = samples.local("pages.pdf")
        #expect(
            try await LocalFileProvider.convertToImage(pdf: file, page: 1, within: size).size
                == .init(width: 60, height: 40))
        #expect(
            try await LocalFileProvider.convertToImage(pdf: file, page: 2, within: size).size
                == .init(width: 40, height: 60))
        for page in [0, 3] {
            let error = await #expect(throws: CocoaError.self) {
                try await LocalFileProvider.convertToImage(pdf: file, page: page, within: size)
            }
            #expect(error?.code == .fileReadCorruptFile)
        }
    }

    @Test func anImageIsScaledDownUnlessItFits() async throws {
        let image = Thumbnail(data: try samples.bytes("picture.png"), mediaType: "image/png")
        let small = try await LocalFileProvider.scaleDown(image: image, to: .init(width: 30, height: 30))
        #expect(small.size == .init(width: 30, height: 20))
        #expect(try await LocalFileProvider.scaleDown(image: small, to: .init(width: 90, height: 90)) == small)
    }

    @Test(arguments: [
        ("enormous.png", CocoaError.Code.fileReadTooLarge), ("entities.svg", .fileReadCorruptFile),
        ("cut.jpg", .fileReadCorruptFile), ("cut.png", .fileReadCorruptFile), ("cut.heic", .fileReadCorruptFile),
        ("cut.pdf", .fileReadCorruptFile), ("text.png", .fileReadCorruptFile), ("portable.jpg", .fileReadCorruptFile),
        ("empty.jpg", .fileReadCorruptFile), ("missing.jpg", .fileReadNoSuchFile),
    ])
    func aFileThatIsNoHonestPictureIsOneError(_ name: String, _ code: CocoaError.Code) async throws {
        for (whole, extent) in [("photo.jpg", 900), ("picture.png", 120), ("picture.heic", 500), ("pages.pdf", 200)] {
            let bytes = try samples.bytes(whole).prefix(extent)
            try Data(bytes).write(to: samples.url("cut.\(whole.split(separator: ".")[1])"))
        }
        try Data("only text\n".utf8).write(to: samples.url("text.png"))
        // A type that libvips has a loader for, but not one of ours.
        try Data("P6 2 2 255 abcdefghijkl".utf8).write(to: samples.url("portable.jpg"))
        try Data().write(to: samples.url("empty.jpg"))
        let error = await #expect(throws: CocoaError.self) {
            try await samples.provider.thumbnailOfFile(path: ItemPath(validating: name), dimension: nil)
        }
        #expect(error?.code == code, "\(error.map { $0.localizedDescription } ?? "")")
        #expect(error?.localizedDescription.contains(name) == true)
    }

    @Test func aContactSheetShowsEveryType() async throws {
        var cells = ""
        let names = [
            "photo.jpg", "picture.png", "picture.webp", "picture.heic", "picture.gif", "picture.tiff", "drawing.svg",
            "pages.pdf",
        ]
        for (index, name) in names.enumerated() {
            let thumbnail = try await samples.provider.thumbnailOfFile(
                path: ItemPath(validating: name), dimension: .init(width: 100, height: 100))
            let size = try #require(thumbnail.size)
            let (x, y) = (index % 4 * 120 + 10, index / 4 * 130 + 10)
            cells += """
                <image x="\(x)" y="\(y)" width="\(size.width)" height="\(size.height)" \
                href="data:\(thumbnail.mediaType);base64,\(Data(thumbnail.data).base64EncodedString())"/>\
                <text x="\(x)" y="\(y + 115)" font-size="11" font-family="sans-serif">\(name)</text>
                """
        }
        let sheet = """
            <svg xmlns="http://www.w3.org/2000/svg" width="490" height="270"><rect width="490" height="270" fill="#fff"/>\
            \(cells)</svg>
            """
        try Data(sheet.utf8).write(to: samples.url("sheet.svg"))
        let picture = try await samples.provider.thumbnailOfFile(
            path: "sheet.svg", dimension: .init(width: 490, height: 270))
        #expect(picture.size == .init(width: 490, height: 270))
        #expect(picture.mediaType == "image/png")
        if let folder = ProcessInfo.processInfo.environment["FP_TEST_CONTACT_SHEET"] {
            try Data(picture.data).write(to: URL(filePath: folder))
        }
    }
}
#endif
