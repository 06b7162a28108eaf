import CloudCore
import FileProviding
import Foundation
import Testing

@Suite struct BookmarkTests {
    @Test func `a bookmark reads back as it was written, without a secret in it`() throws {
        let scratch = try Scratch()
        var bookmark = try Bookmark(
            name: "Büro", url: url("http://ana@cloud.example.org/dav"), authenticationMethod: "basic",
            pinnedCertificates: ["cloud.example.org": ["ab12"]], userInfo: ["color": "red"])
        let store = SealedCredentialStore(folder: scratch.folder)
        try store.setCredential(.password(user: "ana", password: "hunter2-secret"), for: bookmark)
        try bookmark.redirect(to: url("https://cloud.example.org/remote.php/dav"))
        try bookmark.redirect(to: url("https://cloud2.example.org/dav"))
        let data = try JSONEncoder().encode(bookmark)
        #expect(try JSONDecoder().decode(Bookmark.self, from: data) == bookmark)
        #expect(!String(decoding: data, as: UTF8.self).contains("hunter2"))
        #expect(bookmark.originalURL == url("http://ana@cloud.example.org/dav"))
        #expect(try store.credential(for: bookmark) == .password(user: "ana", password: "hunter2-secret"))
        try store.setCredential(nil, for: bookmark)
        #expect(try store.credential(for: bookmark) == nil)
    }

    @Test func `a password in a URL is refused, and not repeated in the error`() throws {
        let bad = url("https://ana:hunter2@example.org/")
        let error = #expect(throws: URLError.self) { try Bookmark(name: "x", url: bad) }
        #expect(error?.code == .badURL)
        #expect(error.map { "\($0) \($0.localizedDescription) \($0.userInfo)".contains("hunter2") } == false)
        var bookmark = try Bookmark(name: "x", url: url("https://example.org/"))
        #expect(throws: URLError.self) { try bookmark.redirect(to: bad) }
        #expect(bookmark.url == url("https://example.org/"))
    }

    @Test func `a password does not come in by what is read either`() throws {
        let data = try JSONEncoder().encode(Bookmark(name: "x", url: url("https://ana@example.org/")))
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("ana@"))
        for other in [
            text.replacing("ana@", with: "ana:hunter2@"),
            text.replacing("\"name\"", with: #""originalURL":"https://ana:hunter2@example.org/","name""#),
        ] {
            #expect(throws: URLError.self) { try JSONDecoder().decode(Bookmark.self, from: Data(other.utf8)) }
        }
    }

    private func url(_ text: String) -> URL { URL(string: text)! }
}
