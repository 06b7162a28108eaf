import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

/// Earlier versions: listed, read, restored.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct VersionTests {
    @Test(arguments: Face.allCases)
    func earlierVersionsAreListedReadAndRestored(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("a%20 é#.txt")
            for text in ["one", "second", "third text"] { try await provider.put(text, at: path, overwrite: true) }
            let versions = try await provider.versions(path: path)
            #expect(versions.map(\.size) == [6, 3])
            let oldest = try #require(versions.last)
            let contents = try await provider.read(oldest, of: path, in: OperationContext())
            #expect(try await contents.collect() == Data("one".utf8))
            let before = try await provider.attributesOfItem(path: path)
            try await provider.restore(oldest, of: path)
            #expect(try await provider.text(at: path) == "one")
            #expect(try await provider.attributesOfItem(path: path).fileID == before.fileID)
            #expect(try await provider.versions(path: path).contains { $0.size == 10 }, "the present one is kept")
        }
    }

    @Test(arguments: Face.allCases)
    func whatHasNoVersionsSaysSo(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("file")
            try await provider.put("only", at: path)
            #expect(try await provider.versions(path: path).isEmpty)
            await #expect(throws: CocoaError.self) { try await provider.versions(path: directory) }
            await #expect(throws: CocoaError.self) { try await provider.versions(path: directory.appending("none")) }
            let forged = FileVersionRecord(id: "../../files/tester")
            await #expect(throws: CocoaError.self) { try await provider.restore(forged, of: path) }
            #expect(try await provider.text(at: path) == "only")
        }
    }
}
