import FileProviding
import Foundation
import Testing

@testable import GalleryFiles

/// Raw or percent-encoded, decided for each value; and every odd name over HTTP in both forms.
@Suite struct GalleryPathTests {
    @Test(arguments: [
        ("Weibo/kyokyo不是qq啊", nil, "Weibo/kyokyo不是qq啊"),
        ("Weibo/kyokyo%E4%B8%8D%E6%98%AFqq%E5%95%8A", nil, "Weibo/kyokyo不是qq啊"),
        ("a b/c%20d.jpg", nil, "a b/c%20d.jpg"),
        ("a%20b/c.jpg", "c.jpg", "a b/c.jpg"),
        ("x/100%41.jpg", "100%41.jpg", "x/100%41.jpg"),
        ("x/100%41.jpg", "100%41", "x/100%41.jpg"),
        ("x/100%2541.jpg", "100%41.jpg", "x/100%41.jpg"),
        ("100%.jpg", nil, "100%.jpg"),
        ("100%zz.jpg", nil, "100%zz.jpg"),
        ("latin%E9.jpg", nil, "latin%E9.jpg"),
        ("Weibo%2Fa.jpg", nil, "Weibo/a.jpg"),
        ("/leading/slash.jpg", nil, "leading/slash.jpg"),
        ("ab:cd", nil, "/ab:cd"),
        ("a+b&c.jpg", nil, "a+b&c.jpg"),
    ])
    func aPathIsReadAsItWasMeant(_ text: String, _ name: String?, _ meant: String) throws {
        #expect(try GalleryPath.parse(text, name: name) == ItemPath(validating: meant))
    }

    @Test(arguments: ["../a.jpg", "a/../../b.jpg", "%2e%2e/a.jpg", "a//b.jpg", "a%00b.jpg"])
    func aPathThatLeavesTheGalleryIsRefused(_ text: String) {
        #expect(throws: CocoaError.self) { try GalleryPath.parse(text, name: nil) }
    }

    @Test(arguments: [false, true])
    func oddNamesAreListedAndReadInEitherForm(isEncoded: Bool) async throws {
        let names = [
            "\u{E9}", "e\u{301}", "😀", "不是", "%", "%20", "%41", "100%41", "a%20b", "a+b", "#", "?", ";", "&x=1", "a:b",
            "*", "'\"", "<>", "back\\slash", " lead", "trail ", "..dots..", "new\nline", "tab\t", "\u{1}", "a=b,c",
            "{}[]",
        ].map { "odd/\($0).png" }
        let gallery = try TestGallery(names) { $0.encodesPaths = isEncoded }
        let images = try await gallery.provider.contentsOfDirectory(path: "odd")
        #expect(
            Set(images.map(\.itemName)) == Set(try names.map { try ItemName(validating: String($0.dropFirst(4))) }))
        for name in names {
            let path = try ItemPath(validating: name)
            #expect(try await gallery.provider.contents(path: path) == gallery.bytes(name), "\(name.debugDescription)")
        }
    }
}
