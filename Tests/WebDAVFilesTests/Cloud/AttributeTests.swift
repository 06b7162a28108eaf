import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import WebDAVFiles

/// What clouds tell of an item beyond plain WebDAV, and what they keep of what is sent.
@Suite(.enabled(if: Face.areRunning, "needs Scripts/test-servers")) struct AttributeTests {
    @Test(arguments: Face.allCases)
    func aFileCarriesIdentityOwnerPermissionsTimeAndHash(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("file.txt")
            let time = FileTime(seconds: 1_500_000_000)
            let options = OperationOptions(attributes: ItemAttributes(modificationTime: time))
            let written = try await provider.write(
                path: path, from: ByteStream(Data("hello".utf8)), in: OperationContext(options: options))
            #expect(written.modificationTime == time)
            let file = try await provider.attributesOfItem(path: path)
            #expect(file.fileID?.isEmpty == false && file.modificationTime == time)
            #expect(file[.ownerID] == "tester" && file.owner == "Tester" && file.isReadOnly == false)
            #expect(file[.serverPermissions]?.hasPrefix("RDNVW") == true)
            #expect(file.checksums.first == Checksum(.sha1, hex: "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"))
            let listed = try #require(try await provider.contentsOfDirectory(path: directory).first)
            #expect(listed.fileID == file.fileID && listed.checksums == file.checksums && listed.etag == file.etag)
            #expect(try await provider.attributesOfItem(path: directory)[.recursiveSize] == 5)

            try await provider.moveItem(path: path, to: directory.appending("renamed"))
            #expect(try await provider.attributesOfItem(path: directory.appending("renamed")).fileID == file.fileID)
        }
    }

    @Test("a time that Nextcloud refuses keeps no file from being written", arguments: Face.allCases)
    func timesOf1970(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let options = OperationOptions(attributes: ItemAttributes(modificationTime: FileTime(seconds: 1)))
            let context = OperationContext(options: options)
            let (small, large) = (try directory.appending("small"), try directory.appending("large"))
            let written = try await provider.write(path: small, from: ByteStream(Data("hello".utf8)), in: context)
            let upload = try await provider.beginPartialWrite(path: large, length: 5, resuming: nil, in: context)
            try await upload.append(ByteStream(Data("hello".utf8)), in: context)
            _ = try await upload.commit(in: context)
            for path in [small, large] {
                #expect(try await provider.text(at: path) == "hello")
                let time = try #require(try await provider.attributesOfItem(path: path).modificationTime)
                #expect(face == .nextcloud ? time.seconds > 86_400 : time.seconds == 1)
            }
            #expect((written.modificationTime == nil) == (face == .nextcloud))
            guard face == .nextcloud else { return }
            let error = await #expect(throws: CocoaError.self) {
                try await provider.setAttributes(ItemAttributes(modificationTime: FileTime(seconds: 1)), of: small)
            }
            #expect(error?.code == .featureUnsupported)
        }
    }

    @Test(arguments: [Face.ownCloud, .openCloud])
    func damageOnTheWayIsRefused(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            var request = try provider.request(
                for: .modify(directory.appending("file")), overwrite: true, attributes: ItemAttributes())
            request.headers["OC-Checksum"] = "SHA1:\(String(repeating: "0", count: 40))"
            request.body = .bytes(Data("hello".utf8))
            let error = await #expect(throws: WebDAVError.self) {
                try await provider.send(request, for: .modify(directory.appending("file")))
            }
            #expect(error?.serverDescription?.contains("checksum") == true)
            #expect(try await provider.contentsOfDirectory(path: directory).isEmpty)
        }
    }

    @Test(arguments: Face.allCases)
    func aWriteOverAnotherVersionIsRefused(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            let path = try directory.appending("file")
            try await provider.put("one", at: path)
            let seen = try await provider.attributesOfItem(path: path)
            try await provider.put("two", at: path, overwrite: true)
            let options = OperationOptions(overwrite: true, expecting: seen.version)
            // By the look before, and by the server's own condition.
            for context in [OperationContext(options: options)] {
                let error = await #expect(throws: (any Error).self) {
                    try await provider.write(path: path, from: ByteStream(Data("three".utf8)), in: context)
                }
                #expect(error?.isItemChanged == true, "\(String(describing: error))")
            }
            #expect(try await provider.text(at: path) == "two")
        }
    }

    @Test(arguments: Face.allCases)
    func anEmptyFileHasTheHashOfNothing(face: Face) async throws {
        try await face.withDirectory { provider, directory in
            try await provider.put("", at: directory.appending("empty"))
            let sum = try await provider.checksum(path: directory.appending("empty"), algorithm: .sha1)
            #expect(sum?.hex == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        }
    }

    @Test func aFileThatIsStillExaminedIsWaitedFor() async throws {
        try await Face.openCloud.withDirectory { provider, directory in
            let path = try directory.appending("processed-file")
            try await provider.put("soon", at: path)
            let file = try await provider.attributesOfItem(path: path)
            #expect(file[.isProcessing] == true && file.size == 4)
            // The server answers 425 twice; the session waits and asks again, on a busy machine for longer.
            var configuration = provider.configuration
            configuration.http.retry.within = 300
            let patient = try WebDAVFileProvider(configuration: configuration, credential: provider.credential)
            #expect(try await patient.attributesOfItem(path: path)[.isProcessing] == true)
            let before = patient.session.requestCount
            #expect(try await patient.text(at: path) == "soon")
            #expect(patient.session.requestCount > before + 1)
            #expect(try await provider.attributesOfItem(path: path)[.isProcessing] == nil)
        }
    }
}
