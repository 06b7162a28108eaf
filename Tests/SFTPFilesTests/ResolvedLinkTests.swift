import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// ProFTPD puts what a link leads to in the link's place, also where an item is renamed.
@Suite(.enabled(if: TestServer("SSHPROFTPD") != nil)) struct ResolvedLinkTests {
    private let provider: SFTPFileProvider
    private let folder: URL
    private let path: ItemPath

    init() async throws {
        let server = try #require(TestServer("SSHPROFTPD"))
        provider = try server.provider(.libssh2)
        path = try ItemPath(validating: "/links-\(UUID())")
        folder = URL(filePath: server.folder.description + path.description)
        try await provider.createDirectory(path: path)
        try await provider.createDirectory(path: path.appending("data"))
        try await provider.writeContents(path: path.appending("data").appending("f"), contents: Data("theirs".utf8))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "l").path, withDestinationPath: "data/f")
    }

    private func items() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    }

    private func leads(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder.appending(path: name).path)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    @Test("a link is moved, and not what it leads to", arguments: ["", "file", "other"])
    func moved(replacing: String) async throws {
        let (link, target) = try (path.appending("l"), path.appending("m"))
        if replacing == "file" { try await provider.writeContents(path: target, contents: Data("old".utf8)) }
        if replacing == "other" {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "m").path, withDestinationPath: "nowhere")
        }
        try await provider.moveItem(path: link, to: target, overwrite: !replacing.isEmpty)
        #expect(try items() == ["data", "data/f", "m"])
        // It tells links as paths from its root.
        let destination = leads("m") ?? "no link"
        #expect(try destination.hasSuffix("/data/f") && text("data/f") == "theirs", "\(destination)")
        try await provider.removeItem(path: path)
    }

    @Test("a file takes the place of a link, and not of what it leads to")
    func replaced() async throws {
        let link = try path.appending("l")
        await #expect { try await provider.writeContents(path: link, contents: Data("ours".utf8)) } throws: {
            $0.isFileExists
        }
        try await provider.writeContents(path: link, contents: Data("ours".utf8), overwrite: true)
        #expect(try items() == ["data", "data/f", "l"])
        #expect(try leads("l") == nil && text("l") == "ours" && text("data/f") == "theirs")
        try await provider.removeItem(path: path)
    }

    @Test("a new file is not put where a link leads to nothing")
    func dangling() async throws {
        try FileManager.default.removeItem(at: folder.appending(path: "data/f"))
        await #expect {
            try await provider.writeContents(path: path.appending("l"), contents: Data("ours".utf8))
        } throws: {
            $0.isFileExists
        }
        #expect(try items() == ["data", "l"])
        try await provider.removeItem(path: path)
    }
}
