import CloudCore
import FileProviders
import Foundation
import Testing

/// What was done is done, also when nobody can be asked what has come of it.
@Suite struct UnseenOutcomeTests {
    private static let blindness: [any Error & Sendable] = [
        URLError(.cannotConnectToHost), URLError(.userAuthenticationRequired), CocoaError(.fileReadNoSuchFile),
    ]

    @Test(arguments: blindness.indices)
    func `what was copied, moved or made is not copied, moved or made once more`(kind: Int) async throws {
        let provider = BlindProvider(Self.blindness[kind])
        try await provider.base.createDirectory(path: "/folder")
        try await provider.base.writeContents(path: "/folder/file", contents: Data("x".utf8))
        let trial = try SyncTrial(provider)
        try await trial.sync()
        let (folder, name) = (try await trial.id("/folder"), try ItemName(validating: "copy"))
        for command in [
            Command.copy(folder, to: .root, as: name),
            .copy(try await trial.id("/folder/file"), to: .root, as: try ItemName(validating: "file")),
            .move(folder, to: .root, as: try ItemName(validating: "moved")),
            .createFolder(try ItemName(validating: "made"), in: .root),
        ] {
            _ = try await trial.core.submit(command)
            try await trial.core.settle()
            #expect(try await trial.core.syncRecords().isEmpty)
            provider.recover()
        }
        try await trial.expectConverged()
        let walked = try await provider.base.recursiveListing(path: .root).collect().map(\.path).sorted()
        #expect(walked == ["/copy", "/copy/file", "/file", "/made", "/moved", "/moved/file"])
        #expect(try await trial.core.item(at: "/file")?.etag != nil)
    }

    @Test(arguments: [URLError(.cannotConnectToHost), URLError(.userAuthenticationRequired)])
    func `a file that was sent is removed when it is removed before anybody could look at it`(
        blindness: URLError
    ) async throws {
        let provider = BlindProvider(blindness)
        let trial = try SyncTrial(provider)
        try await trial.put("new", at: "/file")
        try await trial.core.settle()
        #expect(try await provider.base.itemExists(path: "/file"))
        try await trial.delete("/file")
        provider.recover()
        await trial.core.reconnect()
        try await trial.expectConverged()
        #expect(try await !provider.base.itemExists(path: "/file"))
    }

    @Test func `a file that may not be looked at is sent once`() async throws {
        let provider = BlindProvider(CocoaError(.fileReadNoPermission))
        let trial = try SyncTrial(provider)
        try await trial.put("new", at: "/file")
        try await trial.core.settle()
        #expect(try await trial.core.syncRecords().isEmpty)
        #expect(try await trial.core.issues().isEmpty)
        provider.recover()
        try await trial.expectConverged()
        #expect(try await trial.core.item(at: "/file")?.etag != nil)
    }

    @Test func `an edit of a copy that nobody could look at is no conflict`() async throws {
        let provider = BlindProvider(URLError(.cannotConnectToHost))
        try await provider.base.writeContents(path: "/a", contents: Data("text".utf8))
        let trial = try SyncTrial(provider)
        try await trial.sync()
        _ = try await trial.core.submit(.copy(trial.id("/a"), to: .root, as: try ItemName(validating: "b")))
        try await trial.edit("/b", "longer text")
        try await trial.core.settle()
        provider.recover()
        await trial.core.reconnect()
        try await trial.expectConverged()
        #expect(try await trial.text("/b") == "longer text")
    }
}
