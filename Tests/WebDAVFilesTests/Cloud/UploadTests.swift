import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// Uploads in parts: interrupted, continued elsewhere from the saved state, checked, and without secrets in the wrong
/// place.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct UploadTests {
    private static let size = 2_500_001

    private static func data() -> Data {
        var state: UInt64 = 88_172_645_463_325_252
        return Data(
            (0..<size).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state)
            })
    }

    @Test(arguments: Face.allCases)
    func anUploadGoesOnFromItsSavedState(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let (path, data) = (try directory.appending("ü.bin"), Self.data())
            try await provider.put("old", at: path)
            let id = try await provider.attributesOfItem(path: path).fileID
            let time = FileTime(seconds: 1_600_000_000)
            let options = OperationOptions(overwrite: true, attributes: ItemAttributes(modificationTime: time))
            let context = OperationContext(options: options)
            let first = try await provider.beginPartialWrite(
                path: path, length: Int64(data.count), resuming: nil, in: context)
            try await first.append(ByteStream(data.prefix(1_200_000)), in: context)
            #expect(first.acknowledged == 1_200_000)

            let other = try face.provider()
            let second = try await other.beginPartialWrite(
                path: path, length: Int64(data.count), resuming: first.saveState(), in: context)
            #expect(second.acknowledged == 1_200_000)
            try await second.append(ByteStream(data.dropFirst(1_200_000)), in: context)
            #expect(second.acknowledged == Int64(data.count))
            #expect(try await provider.text(at: path) == "old", "before the commit")

            // Everything sent, nothing committed, and a third one takes over.
            let third = try await face.provider().beginPartialWrite(
                path: path, length: Int64(data.count), resuming: second.saveState(), in: context)
            #expect(third.acknowledged == Int64(data.count))
            _ = try await third.commit(in: context)
            let contents = try await provider.read(path: path, range: .all, in: OperationContext())
            #expect(try await contents.collect() == data)
            let file = try await provider.attributesOfItem(path: path)
            #expect(file.modificationTime?.seconds == time.seconds && file.fileID == id)
            #expect(try await provider.versions(path: path).map(\.size) == [3], "the old file is a version now")
        }
        #expect(!face.hasNoted("credential-leaked"))
    }

    /// Too large for a conditional PUT, and too small for parts.
    @Test(arguments: Face.allCases)
    func aNewFileIsStagedUnderANameThatTheServerTakes(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let (path, data) = (try directory.appending("new.bin"), Self.data())
            let file = try await provider.write(path: path, from: ByteStream(data), in: OperationContext())
            #expect(file.size == Int64(data.count))
            #expect(try await provider.contentsOfDirectory(path: directory).map(\.name) == ["new.bin"])
        }
    }

    @Test(arguments: Face.allCases)
    func theWholeHashIsComparedAtTheCommit(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let (path, data) = (try directory.appending("file"), Self.data())
            let context = OperationContext()
            let upload = try await provider.beginPartialWrite(
                path: path, length: Int64(data.count), resuming: nil, in: context)
            try await upload.append(ByteStream(data), in: context)
            _ = try await upload.commit(in: context)
            var sum = ChecksumHasher(.sha1)
            sum.update(data)
            #expect(try await provider.checksum(path: path, algorithm: .sha1) == sum.checksum)
        }
    }

    @Test(arguments: [Face.ownCloud, .nextcloud])
    func anAbandonedUploadLeavesNothingOnTheServer(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let context = OperationContext()
            let upload = try await provider.beginPartialWrite(
                path: directory.appending("file"), length: nil, resuming: nil, in: context)
            try await upload.append(ByteStream(Data(count: 1_000)), in: context)
            let saved = try JSONDecoder().decode(ChunkedUpload.Saved.self, from: upload.saveState())
            let folder = "\(face.folder)/uploads/tester-\(Self.sha1(saved.folder))"
            #expect(FileManager.default.fileExists(atPath: folder))
            try await upload.abort()
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    private static func sha1(_ text: String) -> String {
        var sum = ChecksumHasher(.sha1)
        sum.update(Data(text.utf8))
        return sum.checksum.hex
    }

    @Test func aTUSAddressGetsNoCredentialAndShowsInNoError() async throws {
        let provider = try Face.openCloud.provider()
        let secret = try #require(URL(string: "data/00aa11bb22cc", relativeTo: Face.openCloud.base)?.absoluteString)
        let request = try provider.uploadRequest(.status(session: secret), path: "a", options: OperationOptions())
        #expect(!request.sendsCredential && request.hidesURL)
        #expect(try await provider.offset(of: secret, "a") == nil, "an unknown one")
        let error = await #expect(throws: URLError.self) {
            _ = try await provider.offset(of: "http://127.0.0.1:1/data/00aa11bb22cc", "a")
        }
        let shown = "\(String(describing: error)) \(error?.localizedDescription ?? "")"
        #expect(!shown.contains("00aa11bb22cc") && error?.code == .cannotConnectToHost)
    }

    @Test(arguments: Face.allCases)
    func aFullAccountIsToldAndLeavesTheOldFile(face: Face) async throws {
        let provider = try face.provider(at: face.base, as: Face.other)
        let path = try ItemPath(validating: "/full-\(UInt64.random(in: 0 ... .max))")
        try await provider.put("old", at: path)
        let context = OperationContext(options: OperationOptions(overwrite: true))
        let error = await #expect(throws: CocoaError.self) {
            try await provider.write(path: path, from: ByteStream(Data(count: 2 << 20)), in: context)
        }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(try await provider.text(at: path) == "old")
        try await provider.removeItem(path: path)
        let volume = try #require(try await provider.storageProperties())
        // Other tests write to this account between the two figures.
        #expect(volume.totalCapacity.map { abs($0 - 1 << 20) < 1_000 } == true)
    }
}
