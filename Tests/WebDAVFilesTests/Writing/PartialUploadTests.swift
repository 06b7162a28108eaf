import FileProviding
import Foundation
import TestSupport
import Testing
import WebDAVFiles

/// Files that grow under a temporary name.
@Suite struct PartialUploadTests {
    @Test(arguments: ["APACHE", "SABRE"].filter { TestServer($0) != nil })
    func aTemporaryFileThatHasGoneIsNotBegunInItsMiddle(name: String) async throws {
        let server = try #require(TestServer(name))
        let provider = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: server.url), credential: nil)
        let directory = try ItemPath(validating: "/partial-\(UUID())")
        let path = try directory.appending("f")
        try await provider.createDirectory(path: directory)
        let context = OperationContext()
        let upload = try await provider.beginPartialWrite(path: path, length: 2_000, resuming: nil, in: context)
        try await upload.append(ByteStream(Data(count: 1_000)), in: context)
        // As somebody does who tidies up.
        let folder = server.folder.description + directory.description
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(".fp-") }
        try #require(files.count == 1)
        try FileManager.default.removeItem(atPath: folder + "/" + files[0])

        await #expect {
            try await upload.append(ByteStream(Data(count: 1_000)), in: context)
        } throws: {
            $0.isNoSuchFile
        }
        #expect(upload.acknowledged == 1_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix(".fp-") })
        try await provider.removeItem(path: directory)
    }
}
