import FileProviding
import Foundation
import TestSupport
import Testing
import WebDAVFiles

/// Servers that cannot keep the contract, but that people run: what they do in their own way harms nothing.
@Suite struct SmallServerTests {
    private static let names = ["CHEZDAV", "PYWEBDAV"].filter { TestServer($0) != nil }

    /// A folder of this test, on a server and on its disk.
    private func place(_ name: String) async throws -> (WebDAVFileProvider, ItemPath, URL) {
        let server = try #require(TestServer(name))
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        let own = "small-\(UUID().uuidString)"
        let path = try ItemPath(validating: own)
        try await provider.createDirectory(path: path)
        return (provider, path, URL(filePath: server.folder.description).appending(path: own))
    }

    @Test(arguments: names) func aFileIsWrittenReplacedMovedAndRemoved(server: String) async throws {
        let (provider, folder, disk) = try await place(server)
        let (file, moved) = (try folder.appending("a b"), try folder.appending("c"))
        try await provider.writeContents(path: file, contents: Data("first".utf8))
        try await provider.writeContents(path: file, contents: Data("second".utf8), overwrite: true)
        await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: file, contents: Data("third".utf8))
        }
        #expect(try await provider.contents(path: file) == Data("second".utf8))
        try await provider.moveItem(path: file, to: moved)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["c"])
        #expect(try Data(contentsOf: disk.appending(path: "c")) == Data("second".utf8))
        try await provider.removeItem(path: moved)
        #expect(try await provider.contentsOfDirectory(path: folder).isEmpty)
    }

    /// Chezdav says that it sends what reaches beyond the end, and sends nothing.
    @Test(arguments: names) func aRangeBeyondTheEndHasWhatThereIs(server: String) async throws {
        let (provider, folder, _) = try await place(server)
        let file = try folder.appending("file")
        try await provider.writeContents(path: file, contents: Data("hello world".utf8))
        for (range, text) in [(3..<7, "lo w"), (5..<105, " world"), (11..<20, "")] as [(Range<Int64>, String)] {
            let contents = try await provider.read(path: file, range: .range(range), in: OperationContext())
            #expect(try await contents.bytes.collect(limit: 100) == Data(text.utf8))
        }
    }

    /// Chezdav tells no time along with the bytes.
    @Test(arguments: names) func aDownloadKeepsTheModificationTime(server: String) async throws {
        let (provider, folder, disk) = try await place(server)
        let file = try folder.appending("file")
        try await provider.writeContents(path: file, contents: Data("old".utf8))
        let time = Date(timeIntervalSince1970: 1_500_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: time], ofItemAtPath: disk.appending(path: "file").path)
        let local = FileManager.default.temporaryDirectory.appending(path: "small-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: local) }
        try await provider.copyItem(path: file, toLocalFile: LocalPath(local.path))
        let kept = try FileManager.default.attributesOfItem(atPath: local.path)[.modificationDate] as? Date
        #expect(kept == time)
    }

    /// PyWebDAV3 answers 201 to a MOVE into a folder that is not there, and what was moved is gone.
    @Test(arguments: names) func nothingIsMovedIntoNowhere(server: String) async throws {
        let (provider, folder, disk) = try await place(server)
        let file = try folder.appending("file")
        try await provider.writeContents(path: file, contents: Data("kept".utf8))
        await #expect {
            try await provider.moveItem(path: file, to: folder.appending("none").appending("file"))
        } throws: {
            $0.isNoSuchFile
        }
        #expect(try Data(contentsOf: disk.appending(path: "file")) == Data("kept".utf8))
    }

    /// PyWebDAV3 takes "report;v2" for "report".
    @Test(.enabled(if: TestServer("PYWEBDAV") != nil)) func anotherItemIsNeitherReplacedNorRemoved() async throws {
        let (provider, folder, disk) = try await place("PYWEBDAV")
        let other = try folder.appending("report;v2")
        try await provider.writeContents(path: folder.appending("report"), contents: Data("mine".utf8))
        for removes in [false, true] {
            await #expect {
                if removes {
                    try await provider.removeItem(path: other)
                } else {
                    try await provider.writeContents(path: other, contents: Data("new".utf8), overwrite: true)
                }
            } throws: {
                $0.localizedDescription.contains("takes it for “report”")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["report"])
        #expect(try Data(contentsOf: disk.appending(path: "report")) == Data("mine".utf8))
    }

    /// A common line in nginx configurations refuses hidden names or reports them as missing, but new files are
    /// uploaded under such a name.
    @Test(.enabled(if: TestServer("NGINX_DOTLESS") != nil), arguments: ["NGINX_DOTLESS", "NGINX_UNSEEN"])
    func aServerThatDeniesHiddenNamesTakesFiles(server: String) async throws {
        let (provider, folder, disk) = try await place(server)
        let file = try folder.appending("file")
        try await provider.writeContents(path: file, contents: Data("first".utf8))
        await #expect { try await provider.writeContents(path: file, contents: Data("second".utf8)) } throws: {
            $0.isFileExists
        }
        #expect(try Data(contentsOf: disk.appending(path: "file")) == Data("first".utf8))
        try await provider.writeContents(path: file, contents: Data("third".utf8), overwrite: true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["file"])
        #expect(try Data(contentsOf: disk.appending(path: "file")) == Data("third".utf8))
    }

    /// The same on a server whose PUT is not known to be atomic: a new file needs no temporary name, and one that could
    /// only be replaced in place stays.
    @Test(.enabled(if: TestServer("LIGHTTPD_DOTLESS") != nil))
    func aServerThatDeniesHiddenNamesTakesNewFilesAndKeepsOldOnes() async throws {
        let (provider, folder, disk) = try await place("LIGHTTPD_DOTLESS")
        for name in ["file", "other"] {
            try await provider.writeContents(path: folder.appending(name), contents: Data("first".utf8))
        }
        await #expect {
            try await provider.writeContents(
                path: folder.appending("file"), contents: Data("second".utf8), overwrite: true)
        } throws: {
            $0.localizedDescription.contains("accepts no temporary name")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["file", "other"])
        #expect(try Data(contentsOf: disk.appending(path: "file")) == Data("first".utf8))
    }

    /// Nothing was done, whatever the status says.
    @Test(.enabled(if: TestServer("NGINX_PAGE") != nil)) func aPageIsNoMoveOrCopy() async throws {
        let (provider, folder, disk) = try await place("NGINX_PAGE")
        let (file, other) = (try folder.appending("file"), try folder.appending("other"))
        try Data("text".utf8).write(to: disk.appending(path: "file"))
        await #expect { try await provider.moveItem(path: file, to: other) } throws: {
            $0.localizedDescription.contains("answered 200, and has not moved it")
        }
        await #expect { try await provider.copyItem(path: file, to: other) } throws: {
            $0.localizedDescription.contains("answered 200, and has not copied it")
        }
        // A new file gets its name by MOVE too.
        await #expect { try await provider.writeContents(path: other, contents: Data("new".utf8)) } throws: {
            $0.localizedDescription.contains("did not move the new file")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["file"])
    }

    /// An unsupported COPY is reported as such, so that the client can copy by itself.
    @Test(.enabled(if: TestServer("NGINX_COPYLESS") != nil)) func aServerWithoutCopyIsNamedAsThat() async throws {
        let (provider, folder, disk) = try await place("NGINX_COPYLESS")
        let file = try folder.appending("file")
        try await provider.writeContents(path: file, contents: Data("text".utf8))
        await #expect { try await provider.copyItem(path: file, to: folder.appending("copy")) } throws: {
            $0.isUnsupported
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["file"])
    }

    /// MultiViews does to another file what is meant for one that is not there; mod_speling leads to it.
    @Test(.enabled(if: TestServer("APACHE_LENIENT") != nil), arguments: ["page", "pgae.html"])
    func aFileOfNearlyThatNameIsLeftAlone(asked: String) async throws {
        let (provider, folder, disk) = try await place("APACHE_LENIENT")
        try await provider.writeContents(path: folder.appending("page.html"), contents: Data("other".utf8))
        let absent = try folder.appending(asked)
        await #expect { try await provider.contents(path: absent) } throws: { $0.isNoSuchFile }
        await #expect { try await provider.attributesOfItem(path: absent) } throws: { $0.isNoSuchFile }
        await #expect { try await provider.moveItem(path: absent, to: folder.appending("moved")) } throws: {
            $0.isNoSuchFile
        }
        await #expect { try await provider.copyItem(path: absent, to: folder.appending("copied")) } throws: {
            $0.isNoSuchFile
        }
        await #expect { try await provider.removeItem(path: absent) } throws: { $0.isNoSuchFile }
        _ = try? await provider.writeContents(path: absent, contents: Data("new".utf8), overwrite: true)
        #expect(try Data(contentsOf: disk.appending(path: "page.html")) == Data("other".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: disk.path).allSatisfy {
                ["page.html", asked].contains($0)
            })
    }

    /// The person hears what is left, and nothing more is sent.
    @Test(.enabled(if: TestServer("SABRE_SUBMIT") != nil))
    func whatCanBeNeitherNamedNorRemovedIsTold() async throws {
        let (provider, folder, disk) = try await place("SABRE_SUBMIT")
        let file = try folder.appending("file")
        await #expect { try await provider.writeContents(path: file, contents: Data("bytes".utf8)) } throws: {
            $0.localizedDescription.contains("left as \(folder)/.fp-")
        }
        await #expect { try await provider.writeContents(path: file, contents: Data("bytes".utf8)) } throws: {
            ($0 as? CocoaError)?.code == .fileWriteNoPermission
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).count == 1)
    }
}
