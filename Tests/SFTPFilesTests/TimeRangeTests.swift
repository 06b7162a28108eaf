import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Times outside the range of SFTP version 3.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct TimeRangeTests {
    private let path: ItemPath
    private let provider: SFTPFileProvider

    init() throws {
        path = try ItemPath(validating: "/times-\(UUID())")
        provider = try #require(TestServer("SSHD")).provider(.libssh2)
    }

    @Test("a file is written without a time before 1970 or after 2106", arguments: [-1_000, 1 << 32])
    func written(seconds: Int64) async throws {
        let start = Int64(Date().timeIntervalSince1970)
        let time = FileTime(seconds: seconds)
        let options = OperationOptions(attributes: ItemAttributes(modificationTime: time))
        try await provider.write(path: path, from: ByteStream(Data("text".utf8)), options: options)
        let kept = try #require(try await provider.attributesOfItem(path: path).modificationTime)
        #expect(abs(kept.seconds - start) < 600)
        await #expect { try await provider.setAttributes(ItemAttributes(modificationTime: time), of: path) } throws: {
            $0.isUnsupported
        }
        try await provider.removeItem(path: path)
    }

    @Test("the first and the last second are kept", arguments: [0, (1 << 32) - 1])
    func ends(seconds: Int64) async throws {
        let attributes = ItemAttributes(modificationTime: FileTime(seconds: seconds))
        try await provider.write(
            path: path, from: ByteStream(Data("text".utf8)), options: OperationOptions(attributes: attributes))
        #expect(try await provider.attributesOfItem(path: path).modificationTime?.seconds == seconds)
        try await provider.removeItem(path: path)
    }
}
