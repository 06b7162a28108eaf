import FileProviding
import Foundation
import LocalFiles
import TestSupport
import Testing

@Suite struct FullDiskTests {
    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func aWriteThatDoesNotFitLeavesNothing() async throws {
        let disk = try #require(SmallDisk(megabytes: 16))
        let provider = try LocalFileProvider(root: disk.folder)
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

    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func aCopyThatDoesNotFitLeavesNothing() async throws {
        let disk = try #require(SmallDisk(megabytes: 16))
        let provider = try LocalFileProvider(root: disk.folder)
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
