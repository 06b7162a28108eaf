import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// What a cloud finds and draws by itself.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct SearchAndPreviewTests {
    @Test(arguments: Face.allCases)
    func aSearchByNameTakesFewRequestsHoweverDeepTheTree(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let deep = try ItemPath(validating: "\(directory)/a/b/c/d/e/f")
            try await provider.createDirectory(path: deep, createsParents: true)
            let wanted = try deep.appending("Große Reise #1.txt")
            try await provider.put("12345", at: wanted)
            try await provider.put("1", at: directory.appending("other.txt"))
            try await provider.put("12345", at: directory.appending("reise.md"))
            _ = try await provider.characteristics(path: directory)
            let before = provider.session.requestCount
            let query = try FileQuery(parsing: "name CONTAINS[c] 'reise' AND fileSize == 5 AND name ENDSWITH '.txt'")
            let found = try await provider.searchFiles(path: directory, recursive: true, query: query)
            #expect(found.map(\.path) == [wanted] && found.first?.size == 5)
            #expect(provider.session.requestCount - before <= 2, "the directory, and one search")
        }
    }

    @Test(arguments: Face.allCases)
    func whatIsOutsideTheDirectoryIsNotFound(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let tag = "needle-\(UInt32.random(in: 0 ... .max))"
            try await provider.createDirectory(path: directory.appending("in"))
            try await provider.put("x", at: try directory.appending("\(tag) outside"))
            try await provider.put("x", at: try directory.appending("in").appending("\(tag) inside"))
            let query = FileQuery.name.beginsWith(tag)
            let within = try directory.appending("in")
            let names = try await provider.searchFiles(path: within, recursive: true, query: query).map(\.name)
            #expect(names == ["\(tag) inside"])
            let rooted = try face.provider(at: provider.url(of: within.asDirectory))
            let paths = try await rooted.searchFiles(path: .root, recursive: true, query: query).map(\.path)
            #expect(paths == [try ItemPath(validating: "/\(tag) inside")])
        }
    }

    @Test(arguments: Face.allCases)
    func aPictureHasAThumbnailAndATextHasNone(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let picture = try Data(
                contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pictures/plain.png"))
            let path = try directory.appending("a picture.png")
            _ = try await provider.write(path: path, from: ByteStream(picture), in: OperationContext())
            let thumbnail = try await provider.thumbnailOfFile(path: path, dimension: PixelSize(width: 16, height: 16))
            #expect(thumbnail.mediaType == "image/png" && thumbnail.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            // The width and height in the header (PNG, section 11.2.2).
            #expect(Array(thumbnail.data[16..<24]) == [0, 0, 0, 16, 0, 0, 0, 8])

            let fake = try directory.appending("fake.png")
            try await provider.put("no picture", at: fake)
            let error = await #expect(throws: CocoaError.self) {
                try await provider.thumbnailOfFile(path: fake, dimension: nil)
            }
            #expect(error?.code == .featureUnsupported)
        }
    }

    @Test func spacesAreListedAtTheServerThatWasAsked() async throws {
        let face = Face.openCloud
        let provider = try face.provider()
        let spaces = try await provider.spaces()
        #expect(spaces.map(\.kind) == ["personal", "virtual"])
        let own = try #require(spaces.first)
        #expect(own.url?.host() == face.base.host() && own.url?.port == face.base.port, "not what it calls itself")
        try await face.withDirectory { _, directory in
            let there = try provider.provider(for: own)
            #expect(try await there.attributesOfItem(path: directory).isDirectory)
            #expect(there.session === provider.session)
        }
        await #expect(throws: CocoaError.self) { try await Face.nextcloud.provider().spaces() }
    }
}
