import FileProviderTesting
import FileProviding
import Foundation
import GalleryFiles
import Testing

/// Replies that are no list and no image: one clear error each.
@Suite struct WrongReplyTests {
    private static let login = "<!DOCTYPE html><title>Sign in</title><form action=/login>…</form>"

    @Test func aLoginPageInsteadOfAListIsSaidToBeOne() async throws {
        for headers in [[("Content-Type", "text/html; charset=utf-8")], [], [("Content-Type", "application/json")]] {
            let server = try ScriptedResponder { _ in .reply(200, headers: headers, body: "\n " + Self.login) }
            let error = await #expect(throws: URLError.self) { try await GalleryFileProvider(server.url).paths("") }
            #expect(error?.code == .cannotParseResponse)
            #expect(error?.localizedDescription.contains("login") == true)
        }
    }

    /// A size that is none is not known; the image is there all the same.
    @Test(arguments: ["\"1920\"", "1920.5", "null", "-1", "99999999999999999999"])
    func anOddSizeIsUnknown(width: String) async throws {
        let list = #"[{"name":"a","path":"a.png","width":WIDTH,"height":3}]"#.replacing("WIDTH", with: width)
        let server = try ScriptedResponder { _ in .reply(200, body: list) }
        defer { server.stop() }
        let files = try await GalleryFileProvider(server.url).contentsOfDirectory(path: "")
        #expect(files.map(\.path) == ["/a.png"])
        #expect(files.first?[.imageWidth] == nil && files.first?[.imageHeight] == 3)
    }

    /// It might have images below the path, or be away: that is not known.
    @Test(arguments: [500, 403, 503])
    func aListThatTheServerRefusesDoesNotMeanThatNothingIsThere(status: Int) async throws {
        let server = try ScriptedResponder { .reply($0.target.hasPrefix("/file/") ? 404 : status) }
        let provider = try GalleryFileProvider(server.url)
        for path in ["cat", "cat/"] as [ItemPath] {
            let error = await #expect(throws: (any Error).self) { try await provider.attributesOfItem(path: path) }
            #expect(error?.isNoSuchFile == false)
        }
    }

    @Test func aRedirectionToALoginPageIsSaidToBeOne() async throws {
        let server = try ScriptedResponder { request in
            request.target == "/login"
                ? .reply(200, headers: [("Content-Type", "text/html")], body: Self.login)
                : .reply(302, headers: [("Location", "/login")])
        }
        let error = await #expect(throws: URLError.self) { try await GalleryFileProvider(server.url).paths("Weibo") }
        #expect(error?.localizedDescription.contains("login") == true)
    }

    @Test func aLoginPageInsteadOfAnImageIsNoImage() async throws {
        let server = try ScriptedResponder { _ in
            .reply(200, headers: [("Content-Type", "text/html")], body: Self.login)
        }
        let provider = try GalleryFileProvider(server.url)
        for read in [
            { _ = try await provider.contents(path: "a.png") },
            { _ = try await provider.attributesOfItem(path: "a.png") },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: URLError.self) { try await read() }
            #expect(error?.localizedDescription.contains("login") == true)
        }
        let target = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID()).png")
        await #expect(throws: URLError.self) {
            try await provider.copyItem(path: "a.png", toLocalFile: LocalPath(target.path))
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test(arguments: ["bytes 0-3/10", "bytes 5-9/10", "bytes 4-6/10", "bytes */10", "nonsense", nil])
    func anotherRangeThanWasAskedForIsNotTakenForIt(_ told: String?) async throws {
        let server = try ScriptedResponder { _ in
            .reply(206, headers: told.map { [("Content-Range", $0)] } ?? [], body: "abcd")
        }
        let provider = try GalleryFileProvider(server.url)
        let error = await #expect(throws: CocoaError.self) {
            _ = try await provider.read(path: "a.png", range: .range(4..<8)).bytes.collect(limit: 10)
        }
        #expect(error?.code == .fileReadCorruptFile)
    }

    @Test func theServersWordsAreCutBetweenCharacters() {
        let words = "x" + String(repeating: "é", count: 250)
        let error = GalleryError(status: 500, path: "/", data: Data(words.utf8))
        #expect(error.serverDescription == String(words.prefix(200)))
    }

    /// An empty file has no first byte, and a server need not tell its size when it says so: nginx and Apache say it
    /// with a page of HTML.
    @Test func anEmptyImageIsOneWithoutBytes() async throws {
        let server = try ScriptedResponder { _ in .reply(416, headers: [("Content-Type", "text/html")], body: "<html>")
        }
        #expect(try await GalleryFileProvider(server.url).attributesOfItem(path: "a.png").size == 0)
    }

    @Test func thereIsNothingBehindTheEndOfAnImage() async throws {
        let page = [("Content-Type", "text/html"), ("Content-Range", "bytes */5")]
        let server = try ScriptedResponder { _ in .reply(416, headers: page, body: "<html>") }
        let contents = try await GalleryFileProvider(server.url).read(path: "a.png", range: .from(5))
        #expect(try await contents.bytes.collect() == Data())
    }

    @Test func aRefusalOfACredentialIsAboutAuthentication() async throws {
        let server = try ScriptedResponder { _ in .reply(401, headers: [("WWW-Authenticate", "Basic realm=\"g\"")]) }
        let error = await #expect(throws: URLError.self) { try await GalleryFileProvider(server.url).paths("") }
        #expect(error?.code == .userAuthenticationRequired)
    }

    @Test(arguments: [
        "", "null", #"{"error":"no"}"#, #"[{"path":"a.png"}"#, #"[{"path":"a.png"},"#, #"[{"name":"a"}]"#, "[1]",
        #"[{"path":"a.png"}] trailing"#, #"[{"path":"a.png"},,{"path":"b.png"}]"#, #"[{"path":""}]"#, #"[{"path":"a}]"#,
    ])
    func whatIsNoListOfImagesIsAnError(_ body: String) async throws {
        let server = try ScriptedResponder { _ in .reply(200, body: body) }
        let error = await #expect(throws: URLError.self) { try await GalleryFileProvider(server.url).paths("") }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test func anEndlessEntryEndsTheListing() async throws {
        let server = try ScriptedResponder { _ in
            .head(200).then(#"[{"path":""#).then(.flood(Data(repeating: 0x61, count: 64 << 10), times: 1_000)).then(
                .close)
        }
        let error = await #expect(throws: URLError.self) { try await GalleryFileProvider(server.url).paths("") }
        #expect(error?.code == .dataLengthExceedsMaximum)
    }

    @Test func entriesBeforeTheDamageAreDelivered() async throws {
        let server = try ScriptedResponder { _ in
            .head(200, headers: [("Content-Length", "1000")]).then(#"[{"path":"a.png"},{"path":"b.png"},{"pa"#)
                .then(.close)
        }
        var names: [String] = []
        await #expect(throws: (any Error).self) {
            for try await page in try GalleryFileProvider(server.url).listing(path: .root) { names += page.map(\.name) }
        }
        #expect(names == ["a.png", "b.png"])
    }

    @Test func unknownFieldsAndMissingSizesAreFine() async throws {
        let server = try ScriptedResponder { _ in
            .reply(200, body: #" [ {"name":null,"path":"a.png","width":null,"tags":[1,{"x":"]"}]} ] "#)
        }
        let images = try await GalleryFileProvider(server.url).contentsOfDirectory(path: .root)
        #expect(images.map(\.name) == ["a.png"])
        #expect(images[0][.imageWidth] == nil)
    }

    @Test func anImageOutsideItsCategoryKeepsItsOwnPath() async throws {
        let server = try ScriptedResponder { _ in .reply(200, body: #"[{"path":"2023/a.png"},{"path":"best/b.png"}]"#) }
        #expect(try await GalleryFileProvider(server.url).paths("best") == ["2023/a.png", "best/b.png"])
    }
}
