import FileProviding
import Foundation
import LocalFiles
import Testing

@Suite struct ConfigurationTests {
    @Test func fromURLs() throws {
        let (configuration, path) = try LocalFileProvider.configuration(for: URL(string: "file:///a%20b/c%FF")!)
        #expect(configuration.root == LocalPath("/"))
        #expect(path == (try ItemPath(validatingBytes: Array("a b/c".utf8) + [0xff])))
        #expect(LocalFileProvider.schemes == ["file"])
        for text in [
            "file://server/share", "http://localhost/", "file:///a?b", "file:///a#b", "file:///a#", "file:relative",
        ] {
            #expect(throws: URLError.self, "\(text)") {
                try LocalFileProvider.configuration(for: URL(string: text)!)
            }
        }
    }

    @Test func aRootThatIsNotUTF8() async throws {
        let scratch = try Scratch()
        let folder = ItemPath.root.appending(try ItemName(validating: [0x66, 0xff]))
        try await scratch.provider.createDirectory(path: folder)
        let url = scratch.provider.url(of: folder)
        let provider = try LocalFileProvider(baseURL: url)
        try await provider.write(path: "file", from: ByteStream("text"))
        #expect(try await scratch.provider.text(folder.appending("file")) == "text")
        #expect(provider.baseURL?.absoluteString == url.absoluteString)
        #expect(provider.relativePathOf(url: provider.url(of: "a/b")) == "a/b")
    }

    @Test func storedAndCopied() throws {
        let scratch = try Scratch()
        let data = try JSONEncoder().encode(scratch.provider.configuration)
        let configuration = try JSONDecoder().decode(LocalFileProvider.Configuration.self, from: data)
        #expect(configuration == scratch.provider.configuration)
        let again = try LocalFileProvider(configuration: configuration)
        #expect(again.identity == scratch.provider.identity)
        #expect(again.identity.sharesStorage(with: try LocalFileProvider(root: LocalPath("/")).identity))
        let copy = scratch.provider.copy()
        #expect(copy.identity == scratch.provider.identity && copy.context !== scratch.provider.context)
    }
}
