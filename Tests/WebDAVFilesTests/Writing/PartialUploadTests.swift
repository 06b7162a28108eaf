import FileProviding
import Foundation
import TestSupport
import Testing
import WebDAVFiles

/// Files that grow under a temporary name.
@Suite struct PartialUploadTests {
    /// It says yes to a MOVE that cannot be done, and may take UTF-8 for Latin-1.
    @Test(.enabled(if: TestServer("SABRE") != nil))
    func aNameThatSabreLosesIsRefusedAsForAWholeFile() async throws {
        let server = try #require(TestServer("SABRE"))
        let provider = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: server.url), credential: nil)
        let directory = try ItemPath(validating: "/partial-\(UUID())")
        try await provider.createDirectory(path: directory)
        let context = OperationContext()
        let isRefused = { @Sendable (error: any Error) in (error as? CocoaError)?.code == .fileWriteInvalidFileName }
        let long = directory.appending(ItemName(unchecked: Array(repeating: UInt8(ascii: "x"), count: 256)))
        await #expect {
            _ = try await provider.beginPartialWrite(path: long, length: 2_000, resuming: nil, in: context)
        } throws: {
            isRefused($0)
        }
        // Whether the server takes such a name for what it is shows when it has it.
        var outcomes: [[Bool]] = []
        for name in ["é", "\u{fffd}"] {
            let path = try directory.appending(name)
            let whole = await fails(isRefused) {
                try await provider.writeContents(path: path, contents: Data(count: 10))
                try await provider.removeItem(path: path)
            }
            let parts = await fails(isRefused) {
                let upload = try await provider.beginPartialWrite(path: path, length: 10, resuming: nil, in: context)
                try await upload.append(ByteStream(Data(count: 10)), in: context)
                _ = try await upload.commit(in: context)
                try await provider.removeItem(path: path)
            }
            outcomes.append([whole, parts])
        }
        #expect(outcomes == [[false, false], [true, true]])
        #expect(try await provider.contentsOfDirectory(path: directory).isEmpty)
        try await provider.removeItem(path: directory)
    }

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

/// Returns whether work fails in the expected way; a failure in another way is an issue.
private func fails(
    _ isExpected: @Sendable (any Error) -> Bool, _ work: @Sendable () async throws -> Void
) async -> Bool {
    do { try await work() } catch {
        if !isExpected(error) { Issue.record(error) }
        return true
    }
    return false
}
