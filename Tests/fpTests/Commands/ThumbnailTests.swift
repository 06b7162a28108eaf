import Foundation
import Testing

/// `fp thumb` and `fp info` of local files, with and without the package trait.
@Suite struct ThumbnailTests {
    private let work: Workspace

    init() throws {
        work = try Workspace()
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../LocalFilesTests/Information/Fixtures").standardized
        for name in ["photo.jpg", "tone.mp3", "pages.pdf"] {
            try FileManager.default.copyItem(at: fixtures.appending(path: name), to: work.folder.appending(path: name))
        }
    }

    #if Thumbnails
    @Test func aThumbnailIsWrittenAsAPicture() throws {
        let outcome = try work.fp("thumb", "--size", "40", "photo.jpg")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try work.fp("thumb", "pages.pdf").output.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func propertiesAreShownInOrder() throws {
        let outcome = try work.fp("info", "photo.jpg", "tone.mp3")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.lines.first == "photo.jpg:" && outcome.lines.contains("tone.mp3:"))
        #expect(outcome.lines.dropFirst().first?.split(separator: " ") == ["Dimensions", "80", "×", "120"])
        #expect(outcome.lines.contains { $0.hasPrefix("Artist") && $0.hasSuffix("Nobody in particular") })
    }
    #else
    @Test(arguments: ["thumb", "info"])
    func withoutTheTraitItSaysSo(command: String) throws {
        let outcome = try work.fp(command, "photo.jpg")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("built without the package trait Thumbnails"))
    }
    #endif

    @Test func aTypeWithoutThumbnailsIsRefused() throws {
        try work.write("notes.txt")
        let outcome = try work.fp("thumb", "notes.txt")
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("no thumbnails of .txt files"))
    }
}
