import FileProviding
import Foundation
import LocalFiles
import Testing

/// Generators of third parties, and what there is without any.
@Suite struct InformationGeneratorTests {
    @Test func anInjectedGeneratorIsAskedByExtensionWithTheOpenFile() async throws {
        var information = LocalFileInformationGenerator()
        information.addThumbnails(for: ["svg"]) { file, size in
            Thumbnail(data: Array(try file.read(at: 0, count: 4)), mediaType: "image/x-test", size: size)
        }
        information.addProperties(for: ["svg"]) { file in
            FileProperties([.init(key: "Size", value: "\(try file.size())")])
        }
        let samples = try SampleFiles(information)
        for provider in [samples.provider, samples.provider.copy()] {
            let size = PixelSize(width: 3, height: 4)
            let thumbnail = try await provider.thumbnailOfFile(path: "drawing.svg", dimension: size)
            #expect(thumbnail == Thumbnail(data: Array("<svg".utf8), mediaType: "image/x-test", size: size))
            #expect(try await provider.propertiesOfFile(path: "drawing.svg")["Size"] == "177")
            #expect(!provider.thumbnailOfFileSupported(path: "picture.png"))
        }
    }

    @Test func aTypeWithoutAGeneratorIsRefusedWithTheReason() async throws {
        let samples = try SampleFiles(LocalFileInformationGenerator())
        let error = await #expect(throws: CocoaError.self) {
            try await samples.provider.thumbnailOfFile(path: "picture.png", dimension: nil)
        }
        #expect(error?.code == .featureUnsupported)
        #expect(error?.localizedDescription.contains("no thumbnails of .png files") == true)
        #if !Thumbnails
        #expect(error?.localizedDescription.contains("trait Thumbnails") == true)
        #expect(LocalFileInformationGenerator.standard.thumbnailExtensions.isEmpty)
        #endif
    }
}
