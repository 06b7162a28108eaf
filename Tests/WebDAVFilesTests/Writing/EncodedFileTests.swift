import FileProviding
import Foundation
import TestSupport
import Testing
import WebDAVFiles

/// Files that a server calls encoded, as Apache calls packed ones with mod_mime's AddEncoding.
@Suite(.enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers")) struct EncodedFileTests {
    private func provider() throws -> WebDAVFileProvider {
        try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: try #require(TestServer("APACHE")).url), credential: nil)
    }

    /// There are as many readers as connections, and each has a body when it asks for the file's size.
    @Test(.timeLimit(.minutes(5))) func readersDoNotWaitForEachOther() async throws {
        let (provider, path) = (try provider(), try ItemPath(validating: "/encoded-\(UUID()).gz"))
        let bytes = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try await provider.writeContents(path: path, contents: bytes)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 { group.addTask { try await provider.read(path: path).collect() == bytes } }
            for try await isSame in group { #expect(isSame) }
        }
        try await provider.removeItem(path: path)
    }

    @Test func whatIsWrittenIsReadAndCopied() async throws {
        let (provider, path) = (try provider(), try ItemPath(validating: "/encoded-\(UUID()).gz"))
        let bytes = Data("not packed at all".utf8)
        try await provider.writeContents(path: path, contents: bytes)
        let copy = try ItemPath(validating: "\(path).gz")
        try await provider.copyItem(path: path, to: copy)
        for file in [path, copy] {
            #expect(try await provider.contents(path: file) == bytes)
            #expect(try await provider.read(path: file, range: .range(4..<10)).collect() == bytes[4..<10])
            try await provider.removeItem(path: file)
        }
    }
}
