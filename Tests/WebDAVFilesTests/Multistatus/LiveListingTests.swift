import FileProviding
import Foundation
import TestSupport
import Testing

@testable import WebDAVFiles

/// Odd names, written into the folder that a real server serves and listed through it.
@Suite struct LiveListingTests {
    static let servers = ["APACHE", "SABRE", "NGINX", "WSGIDAV", "RCLONE"]
    static let environment = ProcessInfo.processInfo.environment
    static let isRequired = environment["FP_TEST_SERVERS_REQUIRED"] == "1"
    static let areRunning = servers.allSatisfy { environment["FP_TEST_\($0)_URL"] != nil }

    private static let names = [
        "plain", "é nfc", "e\u{301} nfd", "🦀.bin", "日本語", "%", "%20", "%41", "100%41", "test%46.txt", "a%20b", "+", "#",
        "?", ";",
        "&amp;", "a:b", "*", "\"'<>", "back\\slash", " lead", "trail ", "~", "...", "[x]", "{y}|^`",
        String(repeating: "n", count: 255),
    ]

    @Test(.enabled(if: isRequired || areRunning, "needs Scripts/test-servers"), arguments: servers)
    func namesComeBackByteForByte(server: String) throws {
        let root = URL(filePath: try #require(Self.environment["FP_TEST_\(server)_ROOT"]))
        let url = try #require(URL(string: Self.environment["FP_TEST_\(server)_URL"] ?? ""))
        let folderName = "listing \(UUID().uuidString)"
        let folder = root.appending(path: folderName)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in Self.names {
            try #require(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: Data("12345".utf8)))
        }

        let collection = url.appending(path: folderName, directoryHint: .isDirectory)
        let parser = MultistatusParser(url: collection)
        try parser.consume(Self.propfind(collection))
        try parser.finish()
        let builder = ListingEntryBuilder(collection: collection, directory: "listing")
        var listed: [[UInt8]] = []
        var collections = 0
        for response in parser.takeResponses() {
            switch try builder.listed(response) {
            case .collection:
                collections += 1
                #expect(response.properties.isCollection == true)
            case .entry(let file):
                listed.append(file.itemName.bytes)
                #expect(file.type == .regular && file.size == 5 && file.modificationTime != nil, "\(file)")
            case .gone: Issue.record("nothing went")
            }
        }
        #expect(collections == 1)
        let hidesDots = server == "NGINX"
        let expected = Self.names.filter { !hidesDots || !$0.hasPrefix(".") }.map { Array($0.utf8) }
        #expect(listed.sorted { $0.precedes($1) } == expected.sorted { $0.precedes($1) })
    }

    /// Asks with the `curl` program: this module has no transport of its own.
    private static func propfind(_ url: URL) throws -> Data {
        let (input, output) = (Pipe(), Pipe())
        let arguments = [
            "--silent", "--fail", "--request", "PROPFIND", "--header", "Depth: 1", "--header",
            "Content-Type: application/xml", "--data-binary", "@-", url.absoluteString,
        ]
        let curl = try ChildProgram("curl", arguments, input: .pipe(input), output: .pipe(output))
        input.fileHandleForWriting.write(
            DAVRequestBody.propfind(
                [.resourceType, .contentLength, .lastModified, .etag], others: [XMLName("x", namespace: "urn:x")]))
        try input.fileHandleForWriting.close()
        let reply = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(curl.wait() == 0)
        return reply
    }
}
