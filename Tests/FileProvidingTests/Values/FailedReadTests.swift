import FileProviding
import Foundation
import MemoryFiles
import Testing

/// Reading what cannot be read, or whose name is as long as names are.
@Suite struct FailedReadTests {
    private let provider = MemoryFileProvider()

    @Test func whatCannotBeReadIsNotEmptyWhateverTheDelegateGoesOnWith() async throws {
        final class Indulgent: FileOperationDelegate {
            func fileProvider(
                _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
                operation: FileOperationType
            ) async -> Bool { true }
        }
        let delegate = Indulgent()
        provider.context.fileOperationDelegate = delegate
        await #expect { try await provider.contents(path: "missing") } throws: {
            ($0 as? CocoaError)?.code == .fileReadNoSuchFile
        }
        withExtendedLifetime(delegate) {}
    }

    @Test func aFileWithTheLongestNameIsDownloaded() async throws {
        try await provider.writeContents(path: "f", contents: Data("bytes".utf8))
        let folder = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = String(repeating: "n", count: 255)
        try await provider.copyItem(path: "f", toLocalFile: LocalPath(folder.appending(path: name).path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }
}
