import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

/// Needs a folder on a file system of 16 MiB, named by `FP_TEST_APACHE_SMALL_ROOT`, or the right to mount one.
@Suite(.serialized) struct FullDiskTests {
    /// A small file system, mounted if need be.
    private final class SmallDisk {
        let path: String
        private let isMounted: Bool

        init?() {
            if let given = ProcessInfo.processInfo.environment["FP_TEST_APACHE_SMALL_ROOT"] {
                path = given + "/LocalFilesTests-\(UUID().uuidString)"
                isMounted = false
                if mkdir(path, 0o700) == 0 { return } else { return nil }
            }
            path = NSTemporaryDirectory() + "/LocalFilesTests-small-\(UUID().uuidString)"
            mkdir(path, 0o700)
            guard mount("tmpfs", path, "tmpfs", 0, "size=16m") == 0 else {
                rmdir(path)
                return nil
            }
            isMounted = true
        }

        deinit {
            if isMounted { umount(path) }
            _ = try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static let isPossible = SmallDisk() != nil

    @Test(.enabled(if: isPossible, "no small file system, and no right to mount one"))
    func aWriteThatDoesNotFitLeavesNothing() async throws {
        let disk = try #require(SmallDisk())
        let provider = try LocalFileProvider(root: LocalPath(disk.path))
        try await provider.write(path: "old", from: ByteStream("old"))
        let chunks = AsyncStream<Data>(unfolding: { Data(repeating: 1, count: 100_000) })
        let large = Data(repeating: 1, count: 20_000_000)
        let attempts = [ByteStream(chunks), ByteStream(chunks, length: 1 << 40), ByteStream(large)]
        for source in attempts {
            let options = OperationOptions(overwrite: true)
            let error = await failure { try await provider.write(path: "old", from: source, options: options) }
            #expect((error as? CocoaError)?.code == .fileWriteOutOfSpace)
            #expect(try await provider.text("old") == "old")
        }
        #expect(try await provider.contentsOfDirectory(path: "/").count == 1)
        try await provider.write(path: "fits", from: ByteStream(Data(repeating: 1, count: 9_000_000)))
    }

    @Test(.enabled(if: isPossible, "no small file system, and no right to mount one"))
    func aCopyThatDoesNotFitLeavesNothing() async throws {
        let disk = try #require(SmallDisk())
        let provider = try LocalFileProvider(root: LocalPath(disk.path))
        try await provider.createDirectory(path: "tree/inner", createsParents: true)
        for number in 0..<20 {
            let path = try ItemPath(validating: "tree/inner/\(number)")
            try await provider.write(path: path, from: ByteStream(Data(repeating: 1, count: 500_000)))
        }
        let error = await failure { try await provider.copyItem(path: "tree", to: "copy") }
        #expect((error as? CocoaError)?.code == .fileWriteOutOfSpace)
        #expect((error as? CocoaError)?.filePath?.hasPrefix("/copy/inner/") == true)
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["tree"])
        try await provider.removeItem(path: "tree")
        #expect(try await provider.contentsOfDirectory(path: "/").isEmpty)
    }
}
