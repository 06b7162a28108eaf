import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct ListingEntryBuilderTests {
    private func listed(
        _ href: String, in collection: String = "http://dav.example/dav/Nested%20Folder/", rest: String = ""
    ) throws -> ListingEntryBuilder.Listed {
        let builder = ListingEntryBuilder(collection: URL(string: collection)!, directory: "x/Nested Folder")
        let escaped = href.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return try builder.listed(responses(multistatus("<D:href>\(escaped)</D:href>\(rest)"))[0])
    }

    /// The name of the member that `href` means, or `nil` for the collection.
    private func name(
        _ href: String, in collection: String = "http://dav.example/dav/Nested%20Folder/"
    ) throws -> String? {
        guard case .entry(let file) = try listed(href, in: collection) else { return nil }
        #expect(file.path.parent == "x/Nested Folder")
        return file.name
    }

    /// The collection's path, as it was requested.
    private static let path = "/dav/Nested%20Folder"

    @Test(arguments: [
        "\(path)/", path, "/dav/Nested Folder/", "/d%61v/%4Eested%20Folder/", "/dav//Nested%20Folder/", "/\(path)/",
        "http://dav.example\(path)/", "https://inside:8080\(path)", "./", "\n  \(path)/\n  ", "\(path)//",
        "/dav/nested%20folder", "/Dav/Nested%20folder/",
    ])
    func theCollectionItself(href: String) throws {
        guard case .collection = try listed(href) else {
            Issue.record("\(href) is the collection itself")
            return
        }
    }

    @Test(arguments: [
        ("\(path)/a", "a"), ("\(path)/a/", "a"), ("/dav/Nested Folder/a b", "a b"), ("/dav//Nested%20Folder//a", "a"),
        ("http://dav.example\(path)/a", "a"), ("x-y+z://inside\(path)/a", "a"), ("a", "a"),
        ("./a", "a"), ("a:b", "a:b"), ("\(path)//a", "a"),
        ("%2Fdav%2FNested%20Folder%2Fa", "a"), ("%2fdav/Nested Folder/a/", "a"),
        ("\(path)/%61", "a"), ("\(path)/%7Ea", "~a"), ("\(path)/~a", "~a"), ("\(path)/...", "..."),
        ("\(path)/%c3%a9", "é"), ("\(path)/%C3%A9", "é"), ("\(path)/é", "é"), ("\(path)/a%0Ab", "a\nb"),
        ("\(path)/100%2541", "100%41"), ("\(path)/100%", "100%"), ("\(path)/100%zz", "100%zz"), ("\(path)/a+b", "a+b"),
        ("/dav/nested%20folder/A", "A"), ("/DAV/NESTED%20FOLDER/a/", "a"),
        ("\(path)/a?b#c;d", "a?b#c;d"), ("\(path)/a&b<c", "a&b<c"), ("\(path)/%20a%20", " a "),
    ])
    func members(href: String, expected: String) throws {
        #expect(try name(href) == expected)
    }

    @Test(arguments: [
        "\(path)/..", "\(path)/../", "\(path)/%2e%2e", "\(path)/%2E%2e/", "\(path)/../../etc/passwd", "\(path)/..%2Fx",
        "..", "../x", "%2e%2e%2fx", "/", "/dav/", "/dav", "\(path)/.", "\(path)/a/b", "\(path)/a%2Fb", "a/b",
        "\(path)2/a", "\(path)X", "/other/a", "http://dav.example/other/a", "http://dav.example", "x://host", "",
        "\(path)/a%00b", "/dav/nested%20folde/a", "/dav/x/../Nested%20Folder/a",
    ])
    func straysAreRefused(href: String) throws {
        let error = #expect(throws: URLError.self) { try listed(href) }
        #expect(error?.code == .badServerResponse)
        #expect(error?.localizedDescription.contains("not directly in this collection") == true)
    }

    @Test func theRootCollection() throws {
        for collection in ["http://dav.example/", "http://dav.example"] {
            #expect(try name("/a", in: collection) == "a")
            #expect(try name("http://dav.example/a/", in: collection) == "a")
            #expect(try name("/", in: collection) == nil)
            #expect(throws: URLError.self) { try name("/a/b", in: collection) }
        }
    }

    @Test func namesAreBytes() throws {
        guard case .entry(let file) = try listed("/dav/Nested%20Folder/latin%E9") else {
            throw CocoaError(.fileNoSuchFile)
        }
        #expect(file.itemName.bytes == Array("latin".utf8) + [0xE9])
    }

    @Test func typesWithoutResourceType() throws {
        let length = propstat("<D:getcontentlength>1</D:getcontentlength>")
        let cases: [(String, String, FileObjectType)] = [
            ("a/", "", .directory), ("a", length, .regular), ("a", "", .unknown),
        ]
        for (href, rest, type) in cases {
            guard case .entry(let file) = try listed(href, rest: rest) else { throw CocoaError(.fileNoSuchFile) }
            #expect(file.type == type)
        }
    }

    @Test(arguments: [(404, true), (410, true), (403, false), (423, false), (500, false)])
    func membersWithAStatus(status: Int, isGone: Bool) throws {
        let result = try listed("a", rest: "<D:status>HTTP/1.1 \(status) X</D:status>")
        switch result {
        case .gone: #expect(isGone)
        case .entry(let file): #expect(!isGone && file.type == .unknown && file.name == "a")
        case .collection: Issue.record("not the collection")
        }
    }

    @Test func everythingThatAFileObjectHolds() throws {
        let rest = propstat(
            """
            <D:resourcetype/><D:getcontentlength>5</D:getcontentlength><D:getetag>"t"</D:getetag>
            <D:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</D:getlastmodified>
            <D:creationdate>1994-11-06T08:49:37Z</D:creationdate><D:getcontenttype>text/plain</D:getcontenttype>
            <D:ishidden>1</D:ishidden><o:id>7</o:id><o:permissions>RG</o:permissions>
            <o:checksums><o:checksum>SHA1:AB</o:checksum></o:checksums>
            """, status: "425 TOO EARLY")
        guard case .entry(let file) = try listed("a", rest: rest) else { throw CocoaError(.fileNoSuchFile) }
        #expect(file.type == .regular && file.size == 5 && file.etag == ETag(rawValue: "\"t\""))
        #expect(file.modificationTime == FileTime(seconds: 784_111_777) && file.creationTime == file.modificationTime)
        #expect(file.contentType == "text/plain" && file.isHidden && file.fileID == "7")
        #expect(file.checksums == [Checksum(.sha1, hex: "ab")])
        #expect(file[.serverPermissions] == "RG" && file[.isProcessing] == true)
    }

    @Test func anItemByItsPath() throws {
        let response = try responses(Fixture.body("opencloud/propfind-depth0-root.http"))[0]
        let root = FileObject(path: .root, response: response)
        #expect(root.path == .root && root.isDirectory && root.size == nil)
        #expect(root.etag?.rawValue == "\"f7e77e79897d097a664c84718215ab7c\"")
        #expect(response.properties.quotaAvailable == -2 && response.properties.quotaUsed == 102_958)
        #expect(response.failedStatuses == [404])
    }
}
