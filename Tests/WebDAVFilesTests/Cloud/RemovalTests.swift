import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// What a cloud removes goes into its trash.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct RemovalTests {
    @Test(arguments: Face.allCases)
    func aFolderIsRemovedWholeOrNotAtAll(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let folder = try directory.appending("folder")
            try await provider.createDirectory(path: folder)
            for name in ["a", "b", "c"] { try await provider.put(name, at: folder.appending(name)) }
            let held = try folder.appending("b")
            let (response, _) = try await provider.session.data(for: provider.lockRequest(path: held))
            let token = try #require(response.headers["Lock-Token"]?.trimmingCharacters(in: ["<", ">"]))
            var configuration = provider.configuration
            configuration.http.retry = .never
            let impatient = try WebDAVFileProvider(configuration: configuration, credential: Face.credential)
            await #expect(throws: (any Error).self) { try await impatient.removeItem(path: folder) }
            #expect(try await provider.contentsOfDirectory(path: folder).map(\.name).sorted() == ["a", "b", "c"])
            _ = try await provider.session.data(for: provider.unlockRequest(path: held, token: token))
        }
    }
}
