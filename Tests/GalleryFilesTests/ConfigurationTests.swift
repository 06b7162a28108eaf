import FileProviding
import Foundation
import GalleryFiles
import Testing

/// Galleries from URLs.
@Suite struct ConfigurationTests {
    @Test(arguments: [
        ("gallery+http://host:81/Weibo/SIREN", "http://host:81/", "Weibo/SIREN"),
        ("gallery+https://host/", "https://host/", ""), ("GALLERY+HTTPS://host", "https://host/", ""),
        ("gallery+https://me@host/a%20b", "https://host/", "a b"),
        ("gallery+http://[::1]:81/c", "http://[::1]:81/", "c"),
    ])
    func aURLMeansAGalleryAndACategory(_ text: String, _ base: String, _ path: String) throws {
        let (configuration, category) = try GalleryFileProvider.configuration(for: #require(URL(string: text)))
        #expect(configuration.url.absoluteString == base)
        #expect(category == (try ItemPath(validating: path)))
        let provider = try GalleryFileProvider(configuration: configuration, credential: nil)
        #expect(provider.identity.account == (text.contains("me@") ? "me" : nil))
    }

    @Test(arguments: [
        "gallery+https://me:secret@host/", "gallery+https:///x", "gallery+https://host/?q=1", "gallery+https://host/#f",
    ])
    func aURLWithTooMuchOrTooLittleIsRefusedWithoutItsSecret(_ text: String) throws {
        let error = #expect(throws: URLError.self) {
            try GalleryFileProvider.configuration(for: #require(URL(string: text)))
        }
        #expect(error?.code == .badURL)
        #expect(error?.localizedDescription.contains("secret") == false)
    }

    @Test func aGalleryBelowAPathOfItsServerKeepsIt() throws {
        let provider = try GalleryFileProvider(
            configuration: GalleryConfiguration(url: #require(URL(string: "https://host/my/gallery"))), credential: nil)
        #expect(provider.url(of: "Weibo/不.png").absoluteString == "https://host/my/gallery/file/Weibo/%E4%B8%8D.png")
        #expect(provider.relativePathOf(url: provider.url(of: "Weibo/不.png")) == "Weibo/不.png")
    }
}
