import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

@Suite struct DAVPropertiesTests {
    @Test func everyTypedField() throws {
        let read = try properties(
            """
            <D:resourcetype><D:collection/><o:x/></D:resourcetype>
            <D:getcontentlength> 1152921504606846975\n</D:getcontentlength>
            <D:getlastmodified>Sun, 06 Nov 1994 08:49:37 GMT</D:getlastmodified>
            <D:creationdate>1994-11-06T08:49:37.5Z</D:creationdate>
            <D:getetag>W/"x"</D:getetag><D:getcontenttype>text/plain; charset=utf-8</D:getcontenttype>
            <D:displayname> name </D:displayname>
            <D:quota-available-bytes>-3</D:quota-available-bytes><D:quota-used-bytes>7</D:quota-used-bytes>
            <D:ishidden>1</D:ishidden>
            <o:id>id!1</o:id><o:fileid>f</o:fileid><o:permissions>RDNVW</o:permissions><o:size>99</o:size>
            <o:favorite>1</o:favorite><o:checksums><o:checksum>SHA1:AB MD5:cd X:1</o:checksum></o:checksums>
            <o:owner-id>anna</o:owner-id><o:owner-display-name>Anna</o:owner-display-name>
            <o:share-types><o:share-type>0</o:share-type><o:share-type>3</o:share-type></o:share-types>
            """)
        var expected = DAVProperties()
        expected.isCollection = true
        expected.contentLength = (1 << 60) - 1
        expected.lastModified = FileTime(seconds: 784_111_777)
        expected.creationDate = FileTime(seconds: 784_111_777, nanoseconds: 500_000_000)
        expected.etag = ETag(rawValue: "W/\"x\"")
        expected.contentType = "text/plain; charset=utf-8"
        expected.displayName = "name"
        expected.quotaAvailable = -3
        expected.quotaUsed = 7
        expected.isHidden = true
        expected.id = "id!1"
        expected.fileID = "f"
        expected.permissions = "RDNVW"
        expected.size = 99
        expected.isFavorite = true
        expected.checksums = [Checksum(.sha1, hex: "ab"), Checksum(.md5, hex: "cd")]
        expected.ownerID = "anna"
        expected.ownerDisplayName = "Anna"
        expected.shareTypes = [0, 3]
        #expect(read == expected)
    }

    @Test(
        arguments: [
            ("<D:iscollection>1</D:iscollection>", true), ("<D:iscollection>true</D:iscollection>", true),
            ("<D:iscollection>0</D:iscollection>", false), ("<D:iscollection>FALSE</D:iscollection>", false),
            ("<D:resourcetype/>", false), ("<D:iscollection>1</D:iscollection><D:resourcetype/>", false),
            ("<D:iscollection>?</D:iscollection>", nil), ("", nil),
        ] as [(String, Bool?)])
    func collections(content: String, expected: Bool?) throws {
        #expect(try properties(content).isCollection == expected)
    }

    @Test(arguments: ["", " ", "x", "-", "12x", "1.5", "9223372036854775808", "9223372036854775807", "-5", "0x10"])
    func senselessNumbersAreAbsent(text: String) throws {
        #expect(try properties("<D:getcontentlength>\(text)</D:getcontentlength>").contentLength == nil)
    }

    @Test(
        arguments: [
            ("", nil), (" \"a\" ", "\"a\""), ("16326692-1795265004-3", "\"16326692-1795265004-3\""),
            ("W/\"a\"", "W/\"a\""),
        ] as [(String, String?)])
    func entityTags(text: String, expected: String?) throws {
        #expect(try properties("<D:getetag>\(text)</D:getetag>").etag?.rawValue == expected)
    }

    @Test(arguments: ["apache", "sabre", "nginx", "wsgidav", "rclone"])
    func locksOfRealServers(server: String) throws {
        let reply = try responses(Fixture.body("\(server)-lock.xml"), expecting: .prop)
        #expect(reply.count == 1)
        #expect(reply[0].href.isEmpty)
        let lock = try #require(reply[0].properties.locks.first)
        #expect(lock.token?.isEmpty == false)
        #expect((59...1800).contains(lock.timeout ?? 0))
        let forgetsOwner = server == "sabre" || server == "nginx"
        #expect(lock.owner == (forgetsOwner ? nil : "tester & co"))
    }

    @Test func lockOfOpenCloud() throws {
        let reply = try responses(Fixture.body("opencloud/lock.http"), expecting: .prop)
        let expected = DAVLock(token: "urn:uuid:2c66b27a-29ab-42a0-a417-1fced4edfda4", timeout: 60, owner: "me")
        #expect(reply[0].properties.locks == [expected])
    }

    @Test func severalLocks() throws {
        let read = try properties(
            """
            <D:lockdiscovery><D:activelock><D:timeout>Infinite, Second-4100000000</D:timeout>
            <D:owner><D:href>http://example/</D:href></D:owner>
            <D:lockroot><D:href>/no</D:href></D:lockroot></D:activelock>
            <D:activelock><D:locktoken><D:href> t2 </D:href></D:locktoken></D:activelock></D:lockdiscovery>
            """)
        #expect(read.locks == [DAVLock(owner: "http://example/"), DAVLock(token: "t2")])
    }
}
