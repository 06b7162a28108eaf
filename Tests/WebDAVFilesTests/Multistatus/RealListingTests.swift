import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

/// The same folder of odd names, as five servers describe it. nginx does not list names that begin with a dot.
@Suite struct RealListingTests {
    static let names: Set<String> = [
        "plain.txt", "é nfc.txt", "🦀.bin", "100%41.txt", "a%20b", "a+b&c;d#e?f.txt", " lead and trail ", "~tilde",
        "quote\"'<>.txt",
        "back\\slash", "...dots", ".hidden", "日本語.txt", String(repeating: "x", count: 255), "Sub %7E dir",
    ]

    private func listing(_ server: String) throws -> [FileObject] {
        let builder = ListingEntryBuilder(
            collection: URL(string: "http://127.0.0.1/dav/Nested%20Folder/")!, directory: "Nested Folder")
        return try responses(Fixture.body("\(server)-listing.xml")).compactMap {
            if case .entry(let file) = try builder.listed($0) { file } else { nil }
        }
    }

    @Test(arguments: ["apache", "sabre", "nginx", "wsgidav", "rclone"])
    func oddNames(server: String) throws {
        let files = try listing(server)
        let bytes = Set(files.map(\.itemName.bytes))
        #expect(bytes.count == files.count)
        for name in Self.names where server != "nginx" || !name.hasPrefix(".") {
            #expect(bytes.contains(Array(name.utf8)), "\(name)")
        }
        #expect(bytes.contains(Array("e\u{301} nfd.txt".utf8)))
        for file in files {
            #expect(file.isDirectory == (file.name == "Sub %7E dir"), "\(file)")
            #expect(file.size == (file.isDirectory ? nil : 5))
            #expect(file.modificationTime != nil)
            #expect(file.isHidden == (file.name.hasPrefix(".")))
            if server != "nginx", !file.isDirectory { #expect(file.etag?.opaque.first == "\"") }
        }
    }

    /// sabre/dav leaves the name out of a reference that it cannot encode, so that the collection appears twice.
    @Test(arguments: [("apache", true), ("nginx", true), ("rclone", true), ("sabre", false), ("wsgidav", false)])
    func nameThatIsNotUTF8(server: String, isListed: Bool) throws {
        let latin = Array("latin".utf8) + [0xE9] + Array(".txt".utf8)
        #expect(try listing(server).contains { $0.itemName.bytes == latin } == isListed)
    }

    @Test func openCloud() throws {
        let url = URL(string: "https://cloud.example/remote.php/dav/files/admin/Docs/")!
        let builder = ListingEntryBuilder(collection: url, directory: "Docs")
        let all = try responses(Fixture.body("opencloud/propfind-depth1.http"))
        var files: [String: FileObject] = [:]
        for response in all {
            if case .entry(let file) = try builder.listed(response) { files[file.name] = file }
        }
        #expect(files.count == all.count - 1)
        let picture = try #require(files["pic.png"])
        #expect(picture.size == 102_936 && picture.contentType == "image/png")
        #expect(picture.checksums.map(\.algorithm) == [.sha1, .md5, .adler32])
        #expect(picture[.serverPermissions] == "RDNVWZP" && picture.fileID?.hasSuffix("d1d67165cb6d") == true)
        #expect(files["Nested Folder"]?.isDirectory == true)
        #expect(files["🦀.bin"]?.size == 2)
        #expect(try responses(Fixture.body("opencloud/search-report.http"))[0].properties.etag == nil)
    }

    @Test func apachesProperties() throws {
        let all = try responses(Fixture.body("apache-allprop.xml"))
        let member = try #require(all.first { $0.reference.hasSuffix("plain.txt") }).properties
        #expect(member.locks.isEmpty)
        #expect(member.contentType == "text/plain" && member.etag?.isWeak == true && member.creationDate != nil)
        let locked = try responses(Fixture.body("apache-locked.xml"))[0].properties
        #expect(locked.locks.map(\.owner) == ["tester & co"])
    }

    @Test func partialFailureNamesTheMember() throws {
        let all = try responses(Fixture.body("apache-delete-failed.xml"))
        #expect(all.map(\.reference) == ["/dav/L/a.txt"] && all[0].status == 423)
    }

    @Test func refusedProperties() throws {
        let response = try responses(Fixture.body("apache-proppatch-refused.xml"))[0]
        #expect(response.failedStatuses == [409, 424])
        #expect(response.problem?.message == "Property is read-only.")
    }
}
