import FileProviding
import Foundation
import Testing

@Suite struct LocalPathTests {
    @Test func aFileURLMeansExactlyItsBytes() throws {
        #expect(LocalPath(try #require(URL(string: "file:///tmp/a%20b")))?.bytes == Array("/tmp/a b".utf8))
        #expect(LocalPath(try #require(URL(string: "file:///tmp/%FF")))?.bytes == Array("/tmp/".utf8) + [0xFF])
        #expect(LocalPath(URL(fileURLWithPath: "/tmp/ä"))?.bytes == Array("/tmp/ä".utf8))
    }

    /// The kernel would take the part before the zero byte for the path.
    @Test func noPathHasAZeroByte() throws {
        #expect(LocalPath(try #require(URL(string: "file:///tmp/a%00b"))) == nil)
        #expect(LocalPath(try #require(URL(string: "http://host/a"))) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LocalPath.self, from: Data(#""/tmp/a\u0000b""#.utf8))
        }
    }

    @Test func `a URL keeps every byte`() {
        for path in [LocalPath(bytes: [UInt8(ascii: "/"), 0xFF, UInt8(ascii: "%")]), LocalPath("/tmp/ä b?")] {
            #expect(LocalPath(path.url) == path)
        }
        #expect(LocalPath("relative").url.path.hasSuffix("/relative") && LocalPath("relative").url.path.hasPrefix("/"))
    }
}
