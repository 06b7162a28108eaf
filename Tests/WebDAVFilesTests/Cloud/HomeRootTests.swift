import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// A DELETE of a home's root destroys all the files for good: no such request can be made.
@Suite struct HomeRootTests {
    @Test(arguments: [
        ("http://h/", "remote.php/dav/files/anna"), ("http://h/", "remote.php/webdav"),
        ("http://h/", "dav/files/anna"), ("http://h/", "dav/spaces/a$b"), ("http://h/", "remote.php/dav/spaces/a$b"),
        ("http://h/remote.php/dav/", "files/anna"), ("http://h/remote.php/dav/files/", "anna"),
        ("http://h/dav/", "spaces/a$b"), ("http://h/sub/", "remote.php/dav/files/anna"),
        ("http://h/remote.php/dav/files/anna/", ""),
    ])
    func noRequestRemovesMovesOrReplacesAHome(root: String, path: String) throws {
        let url = try #require(URL(string: root))
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
        let home = try ItemPath(validating: path)
        let operations: [FileOperationType] = [
            .remove(home), .remove(home.asDirectory), .move(source: home, destination: "other"),
            .copy(source: "other", destination: home), .move(source: "other", destination: home),
        ]
        for operation in operations {
            #expect(throws: CocoaError.self, "\(operation)") {
                try provider.request(for: operation, overwrite: true, attributes: ItemAttributes())
            }
        }
    }

    @Test(.enabled(if: Face.areRunning, "needs Scripts/test-servers"), arguments: Face.allCases)
    func removingAHomeIsRefusedAndItsFilesStay(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            try await provider.put("kept", at: directory.appending("file"))
            await #expect(throws: CocoaError.self) { try await provider.removeItem(path: .root) }
            let above = try face.provider(at: face.url.deletingLastPathComponent())
            let home = ItemPath.root.appending(try ItemName(validating: face.url.lastPathComponent))
            await #expect(throws: CocoaError.self) { try await above.removeItem(path: home) }
            #expect(try await provider.text(at: directory.appending("file")) == "kept")
        }
        #expect(!face.hasNoted("home-root-deleted"))
    }

    @Test func plainServersMayHaveSuchFolders() throws {
        let url = try #require(URL(string: "http://h/"))
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
        provider.server.family = .modDAV
        let request = try provider.request(
            for: .remove("dav/files/anna"), overwrite: false, attributes: ItemAttributes())
        #expect(request.method == .delete)
    }
}
