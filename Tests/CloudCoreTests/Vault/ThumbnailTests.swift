import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite(.serialized) struct ThumbnailTests {
    private let server: Server
    private let small = PixelSize(width: 32, height: 32)

    init() throws { server = try Server() }

    @Test func `a thumbnail is fetched once for each version and size, and is there offline`() async throws {
        try await server.write("/photo.png", "1")
        try await server.sync()
        let id = try await server.id("/photo.png")
        _ = server.connection.requests()
        let first = try await server.core.thumbnail(of: id, within: small)
        #expect(String(decoding: first.data, as: UTF8.self) == "picture of /photo.png")
        server.connection.fail(with: URLError(.timedOut))
        #expect(try await server.core.thumbnail(of: id, within: small) == first)
        await #expect(throws: URLError.self) { try await server.core.thumbnail(of: id) }
        server.connection.fail(with: nil)
        #expect(server.connection.requests() == ["thumbnail /photo.png", "thumbnail /photo.png"])

        try await server.write("/photo.png", "changed")
        try await server.sync()
        _ = server.connection.requests()
        _ = try await server.core.thumbnail(of: id, within: small)
        #expect(server.connection.requests() == ["thumbnail /photo.png"])
    }

    @Test func `the callback form tells a cancellation as Foundation's do`() async throws {
        try await server.write("/photo.png")
        try await server.sync()
        let (id, core) = (try await server.id("/photo.png"), server.core)
        server.connection.fail(with: CancellationError())
        let error: (any Error)? = await withCheckedContinuation { continuation in
            core.thumbnail(of: id) { continuation.resume(returning: $1) }
        }
        #expect((error as? CocoaError)?.code == .userCancelled)
    }

    @Test func `the thumbnail of a file that was moved here is asked for where the server has it`() async throws {
        try await server.write("/photo.png")
        try await server.sync()
        try await server.move("/photo.png", to: "/moved.png")
        _ = server.connection.requests()
        _ = try await server.core.thumbnail(of: server.id("/moved.png"))
        #expect(server.connection.requests() == ["thumbnail /photo.png"])
        try await server.edit("/moved.png", "mine")
        await #expect { try await server.core.thumbnail(of: server.id("/moved.png")) } throws: { $0.isUnsupported }
    }

    @Test func `thumbnails of files that are gone go with vacuuming`() async throws {
        for path in ["/kept.png", "/gone.png"] as [ItemPath] { try await server.write(path) }
        try await server.sync()
        for path in ["/kept.png", "/gone.png"] as [ItemPath] {
            _ = try await server.core.thumbnail(of: server.id(path), within: small)
        }
        try await server.delete("/gone.png")
        try await server.sync()
        try await server.core.vacuum()
        let folder = server.core.vault.folder.appending("thumbnails")
        #expect(try await folder.entryNames().map(\.text) == ["\(server.id("/kept.png"))-32x32"])
    }

    @Test func `those not used for longest go with vacuuming where there is no room for all`() async throws {
        let thumbnail = try await kept(by: server, ["/a.png"])[0]
        let size = try FileManager.default.attributesOfItem(atPath: thumbnail.description)[.size] as? Int64 ?? 0
        let server = try Server(rules: CopyRules(thumbnailSpace: size * 5 / 2))
        let files = try await kept(by: server, ["/a.png", "/b.png", "/c.png", "/d.png"])
        for (age, file) in files.reversed().enumerated() {
            let date = Date(timeIntervalSinceNow: -3_600 * Double(age + 1))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.description)
        }
        _ = try await server.core.thumbnail(of: server.id("/a.png"), within: small)
        try await server.core.vacuum()
        #expect(files.map { Folder.exists($0) } == [true, false, false, true])
    }

    /// Fetches the thumbnails of new pictures one after another; returns their files.
    private func kept(by server: Server, _ paths: [ItemPath]) async throws -> [LocalPath] {
        for path in paths { try await server.write(path) }
        try await server.sync()
        var files: [LocalPath] = []
        for path in paths {
            let id = try await server.id(path)
            _ = try await server.core.thumbnail(of: id, within: small)
            files.append(server.core.vault.folder.appending("thumbnails").appending("\(id)-32x32"))
        }
        return files
    }
}
