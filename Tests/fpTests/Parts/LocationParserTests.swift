import FileProviders
import Foundation
import Testing

@testable import fp

@Suite struct LocationParserTests {
    private let parser = LocationParser(
        schemes: ["dav", "file", "mem"], remotes: { ["home"] }, workingDirectory: { Array("/home/ada/here".utf8) })

    private func place(_ text: String) throws -> Location.Place {
        try parser.parse(LocationArgument(bytes: Array(text.utf8))).place
    }

    private func localPath(_ text: String) throws -> ItemPath? {
        if case .local(let path) = try place(text) { path } else { nil }
    }

    @Test(arguments: [
        ("a", "/home/ada/here/a"), ("./a:b", "/home/ada/here/a:b"), ("/x//y/./z", "/x/y/z"), (".", "/home/ada/here"),
        ("/", "/"),
        ("dir/a:b", "/home/ada/here/dir/a:b"), ("//", "/"), ("/id:abcd", "/id:abcd"),
    ])
    func localPaths(text: String, expected: String) throws {
        let path = try #require(try localPath(text))
        #expect(path.description == expected)
        #expect(!path.isIdentifier)
    }

    @Test(arguments: [("a/", true), ("a", false), ("a/.", true), ("/tmp/..", true), ("/", true)])
    func aTrailingSlashNamesAFolder(text: String, names: Bool) throws {
        let path = try #require(try localPath(text))
        #expect(path.namesDirectory == names)
    }

    @Test func dotsGoUpFromWhereALinkLeads() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fpTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("real/deep"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("link").path, withDestinationPath: "real/deep")
        let path = try #require(try localPath("\(folder.path)/link/../x"))
        #expect(path.description.hasSuffix("/real/x"))
        let kept = try #require(try localPath("\(folder.path)/link/x"))
        #expect(kept.description.hasSuffix("/link/x"))
    }

    @Test func urls() throws {
        guard case .url(let url) = try place("dav://anna@host:8080/a%20b/ü") else {
            Issue.record("not a URL")
            return
        }
        #expect(url.absoluteString == "dav://anna@host:8080/a%20b/%C3%BC")
        if case .url = try place("MEM:x/y") { return }
        Issue.record("schemes have no case")
    }

    @Test(arguments: [
        ("home:a/b", "/a/b"), ("home:/a//b", "/a/b"), ("home:", "/"), ("home:id:abcd", "/id:abcd"),
        ("home:{id:abcd}", "id:abcd"),
    ])
    func remotes(text: String, expected: String) throws {
        guard case .remote("home", let path) = try place(text) else {
            Issue.record("\(text) is no remote's")
            return
        }
        #expect(path.description == expected)
        #expect(path.isIdentifier == text.contains("{"))
    }

    @Test(arguments: [
        ("nowhere:/x", "./nowhere:/x"), ("dav://u:secret@h/", "--password-file"), ("dav://h/a b", "%20"), ("", "."),
        ("home:{abc}", "slash"), ("home:../x", "leaves the root"), ("https://u:secret@h/", "davs://"),
        ("webdav://h/", "davs://"), ("gopher://u:secret@h/", "--password-file"), ("davs://u:se/secret@h/", "u:…@h"),
        ("dav:/u:secret@h/x", "dav:/u:…@h/x"), ("davs:///u:secret@h/x", "///u:…@h"), ("dav:u:secret@h", "dav:u:…@h"),
    ])
    func refusals(text: String, hint: String) {
        #expect { try place(text) } throws: { error in
            let line = ErrorText.line(error)
            return line.contains(hint) && !line.contains("secret") && ErrorText.isAboutAccess(error)
        }
    }

    @Test func namesGoBackIn() throws {
        let cases: [(text: String, base: ItemPath, item: ItemPath, name: String)] = [
            ("photos", "/home/ada/here/photos", "/home/ada/here/photos/a b", "photos/a b"),
            ("photos/", "/home/ada/here/photos", "/home/ada/here/photos/a", "photos/a"),
            ("home:", "/root", "/root/a", "home:a"), ("home:x", "/root/x", "/root/x/a b", "home:x/a b"),
            ("home:x", "/root/x", "/root/y/z", "home:y/z"), ("home:x", "/root/x", "/root", "home:"),
            ("dav://host/x", "/x", "/x/a b", "dav://host/x/a%20b"),
            ("photos", "/home/ada/here/photos", "/home/ada/here/photos", "photos"),
        ]
        for (text, base, item, name) in cases {
            let location = try parser.parse(LocationArgument(bytes: Array(text.utf8)))
            #expect(String(decoding: location.name(of: item, base: base), as: UTF8.self) == name)
        }
    }
}
