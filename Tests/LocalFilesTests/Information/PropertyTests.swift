#if Thumbnails
import FileProviding
import Foundation
import Testing

@testable import LocalFiles

/// What files say of themselves.
@Suite struct PropertyTests {
    private let samples: SampleFiles

    init() throws { samples = try SampleFiles() }

    private func properties(_ name: String) async throws -> FileProperties {
        try await samples.provider.propertiesOfFile(path: ItemPath(validating: name))
    }

    @Test func aPhotographTellsItsCameraUprightAndInOrder() async throws {
        let photo = try await properties("photo.jpg")
        #expect(photo["Dimensions"] == "80 × 120")
        #expect(photo["Camera maker"] == "Aperture" && photo["Camera"] == "Box 1")
        #expect(photo["Date taken"] == "2024:05:06 07:08:09")
        #expect(photo["Exposure time"] == "1/250 sec." && photo["Aperture"] == "f/2.8" && photo["ISO"] == "200")
        #expect(photo["Focal length"] == "50.0 mm")
        #expect(photo["Latitude reference"] == "N" || photo["Latitude reference"] == "North")
        #expect(photo.keys.prefix(3) == ["Dimensions", "Camera maker", "Camera"])
    }

    @Test func aDocumentTellsItsPagesAndTitle() async throws {
        let document = try await properties("pages.pdf")
        #expect(document["Pages"] == "2" && document["Title"] == "Two pages" && document["Author"] == "A test")
    }

    @Test(arguments: ["tone.mp3", "tone.flac", "tone.ogg"])
    func aSoundTellsItsTags(_ name: String) async throws {
        let sound = try await properties(name)
        #expect(sound["Title"] == "A tone" && sound["Artist"] == "Nobody in particular")
        #expect(sound["Length"] == "0:01" && sound["Sample rate"] == "8000 Hz" && sound["Channels"] == "1")
    }

    /// Unpacked, the title could take gigabytes.
    @Test(arguments: [UInt8(3), 4], [true, false])
    func aTagThatIsCompressedIsNotRead(version: UInt8, isFirst: Bool) async throws {
        let sound = try Data(contentsOf: samples.url("tone.mp3"))
        let title: [UInt8] = [0, 0, 0, 9] + Array("packed".utf8)
        let flags: [UInt8] = version == 3 ? [0, 0x80] : [0, 0x08]
        let artist = Array("TPE1".utf8) + [0, 0, 0, 2, 0, 0, 0, 0x41]
        let frames = artist + Array("TIT2".utf8) + [0, 0, 0, 10] + flags + title
        let tag = Data(Array("ID3".utf8) + [version, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames)
        try ((isFirst ? Data() : Data("junk".utf8)) + tag + sound).write(to: samples.url("packed.mp3"))
        let error = await #expect(throws: CocoaError.self) { try await properties("packed.mp3") }
        #expect(error?.code == .fileReadTooLarge)
        // The same tag without compression.
        let plain = Data(tag.map { $0 == flags[1] ? 0 : $0 })
        try (plain + sound).write(to: samples.url("plain.mp3"))
        #expect(try await properties("plain.mp3")["Sample rate"] == "8000 Hz")
    }

    @Test(arguments: ["text.mp3", "text.flac", "text.jpg"])
    func aFileThatIsNotWhatItsNameSaysIsAnError(_ name: String) async throws {
        try Data("only text".utf8).write(to: samples.url(name))
        let error = await #expect(throws: CocoaError.self) { try await properties(name) }
        #expect(error?.code == .fileReadCorruptFile)
    }

    @Test(arguments: [
        ("Box 1 (Box 1, ASCII, 6 components, 6 bytes)", "Box 1"),
        ("28/10 (f/2.8, Rational, 1 components, 8 bytes)", "f/2.8"),
        ("A (B), C (A (B), C, ASCII, 9 components, 9 bytes)", "A (B), C"), ("plain", "plain"),
    ])
    func anEXIFValueIsShownAsPeopleReadIt(_ raw: String, _ shown: String) {
        #expect(PictureProperties.shown(raw) == shown)
    }
}
#endif
