import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// The account's files have several addresses. Uploads in parts, the trash and versions know but one of them.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct HomeAddressTests {
    @Test(arguments: Face.allCases)
    func theOldAddressServesAsWellAsTheNewOne(face: Face) async throws {
        try await face.withDirectory { _, directory in
            let provider = try face.provider(at: face.base.appending(path: "remote.php/webdav/"))
            let path = try directory.appending("a é.bin")
            try await provider.put("first", at: path)

            let context = OperationContext(options: OperationOptions(overwrite: true))
            let upload = try await provider.beginPartialWrite(path: path, length: 6, resuming: nil, in: context)
            try await upload.append(ByteStream(Data("second".utf8)), in: context)
            _ = try await upload.commit(in: context)
            #expect(try await provider.text(at: path) == "second")

            let version = try #require(try await provider.versions(path: path).first)
            try await provider.restore(version, of: path)
            #expect(try await provider.text(at: path) == "first")

            try await provider.restore(try await provider.trash(path: path), to: nil)
            #expect(try await provider.text(at: path) == "first")
        }
    }

    @Test(arguments: Face.allCases)
    func whatWasInAFolderThatIsGoneIsRestoredElsewhere(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let folder = try directory.appending("folder")
            // It passes through the home's root, which other tests see.
            let name = "restored-\(UUID().uuidString)"
            let path = try folder.appending(name)
            try await provider.createDirectory(path: folder)
            try await provider.put("kept", at: path)
            let item = try await provider.trash(path: path)
            try await provider.removeItem(path: folder)
            await #expect(throws: (any Error).self) { try await provider.restore(item, to: nil) }
            #expect(try await provider.trashedItems().contains { $0.id == item.id }, "still there to be restored")
            let target = try directory.appending("elsewhere")
            try await provider.restore(item, to: target)
            #expect(try await provider.text(at: target) == "kept")
            #expect(try await !provider.contentsOfDirectory(path: .root).map(\.name).contains(name))
        }
    }
}
