import FileProviderTesting
import FileProviding
import Foundation
import Testing
import WebDAVFiles

/// Uploads in chunks that replace a file: the version that is known, and no other.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct ConditionalUploadTests {
    @Test(arguments: [Face.ownCloud, .nextcloud])
    func theVersionThatIsExpectedIsReplaced(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("é ü")
            try await provider.put("old", at: path)
            let (context, upload) = try await upload(to: path, on: provider, expects: true)
            _ = try await upload.commit(in: context)
            #expect(try await provider.text(at: path) == "new")
        }
    }

    /// Somebody else writes the file when the MOVE is on its way.
    @Test(arguments: [Face.ownCloud, .nextcloud], [true, false])
    func whatCameMeanwhileIsReplacedOnlyByWhoExpectsNothing(face: Face, expects: Bool) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("file")
            try await provider.put("old", at: path)
            let gate = FaultProxy.Gate()
            let proxy = try FaultProxy(to: #require(face.url.port)) { _ in
                FaultProxy.Faults(toServer: [.hold("MOVE ", until: gate)])
            }
            defer { proxy.stop() }
            let late = try face.provider(at: proxy.url(face.url))
            let (context, upload) = try await upload(to: path, on: late, expects: expects)
            let commit = Task { try await upload.commit(in: context) }
            await gate.whenReached()
            try await provider.put("somebody else's", at: path, overwrite: true)
            gate.open()
            if expects {
                await #expect {
                    _ = try await commit.value
                } throws: {
                    $0.isItemChanged
                }
            } else {
                _ = try await commit.value
            }
            #expect(try await provider.text(at: path) == (expects ? "somebody else's" : "new"))
        }
    }

    /// Everything sent, and not yet put in place.
    private func upload(
        to path: ItemPath, on provider: WebDAVFileProvider, expects: Bool
    ) async throws -> (OperationContext, any ResumableUpload) {
        let version = expects ? try await provider.attributesOfItem(path: path).version : nil
        let context = OperationContext(options: OperationOptions(overwrite: true, expecting: version))
        let upload = try await provider.beginPartialWrite(path: path, length: 3, resuming: nil, in: context)
        try await upload.append(ByteStream(Data("new".utf8)), in: context)
        return (context, upload)
    }
}
