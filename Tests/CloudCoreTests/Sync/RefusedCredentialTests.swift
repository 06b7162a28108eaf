import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// A refused credential is not sent again, by anything, until the user has acted.
@Suite struct RefusedCredentialTests {
    private let server: Server
    private let refusal = URLError(.userAuthenticationRequired)

    init() throws { server = try Server() }

    private func isRefusal(_ error: any Error) -> Bool { (error as? URLError)?.code == refusal.code }

    @Test func `while that waits, pictures and queries fail at once, and nothing is asked`() async throws {
        for number in 0..<20 { try await server.write(ItemPath(validating: "/\(number).png")) }
        try await server.sync()
        let core = server.core
        server.connection.fail(with: refusal)
        await #expect(throws: URLError.self) { try await core.scan() }
        #expect(try await core.issues().map(\.id.kind) == [.authenticationNeeded])
        _ = server.connection.requests()
        for number in 0..<20 {
            let id = try await server.id(ItemPath(validating: "/\(number).png"))
            await #expect(performing: { try await core.thumbnail(of: id) }, throws: isRefusal)
        }
        let query = Query(.location("/"))
        core.start(query)
        await query.reaches { _ in query.failure != nil }
        await #expect(performing: { try await core.refresh(query) }, throws: isRefusal)
        #expect(query.queryResults.count == 20)
        #expect(server.connection.requests() == [])
        server.connection.fail(with: nil)
        try await core.resolve(CloudCore.Issue.ID(.authenticationNeeded), with: .retry)
        try await core.refresh(query)
        _ = try await core.thumbnail(of: server.id("/1.png"))
        #expect(try await core.issues().isEmpty)
    }

    @Test func `what a picture meets first is noted, and asked about once for all of them`() async throws {
        var ids: [LocalID] = []
        for number in 0..<20 { try await server.write(ItemPath(validating: "/\(number).png")) }
        try await server.sync()
        for number in 0..<20 { ids.append(try await server.id(ItemPath(validating: "/\(number).png"))) }
        server.connection.fail(with: refusal)
        _ = server.connection.requests()
        let core = server.core
        await withTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask { await #expect(throws: URLError.self) { try await core.thumbnail(of: id) } }
            }
        }
        #expect(core.connectionStatus == .unauthenticated)
        #expect(try await core.issues().map(\.id.kind) == [.authenticationNeeded])
        #expect(server.connection.requests().filter { $0.hasPrefix("attributes") } == ["attributes /"])
    }

    @Test func `a picture that is not to be had does not make the server one that is away`() async throws {
        try await server.write("/photo.png")
        try await server.sync()
        let id = try await server.id("/photo.png")
        server.connection.fail(with: URLError(.cannotParseResponse))
        await #expect(throws: URLError.self) { try await server.core.thumbnail(of: id) }
        #expect(server.core.connectionStatus == .online)
    }

    @Test func `shares are not asked for either, and what they meet first is noted`() async throws {
        let (scratch, sharing) = (try Scratch(), SharingServer(inner: server.connection))
        let bookmark = try Bookmark(name: "Memory", url: #require(URL(string: "mem:test/")))
        let core = Core(vault: try Vault(of: bookmark, in: scratch.folder), connection: sharing)
        try await server.write("/file")
        while try await !core.scan().isComplete {}
        let id = try #require(try await core.item(at: "/file")).localID
        try await core.refreshShares()
        server.connection.fail(with: refusal)
        await #expect(performing: { try await core.refreshShares(of: id) }, throws: isRefusal)
        #expect(try await core.issues().map(\.id.kind) == [.authenticationNeeded])
        let asked = sharing.asked.withLock { $0 }
        await #expect(performing: { try await core.refreshShares() }, throws: isRefusal)
        await #expect(performing: { try await core.refreshShares(of: id) }, throws: isRefusal)
        await #expect(performing: { _ = try await core.sharees(matching: "ana", for: id) }, throws: isRefusal)
        #expect(sharing.asked.withLock { $0 } == asked)
        try await core.close()
    }
}

/// A server that supports shares but has none.
private struct SharingServer: SharingConnection {
    let inner: CountingConnection
    let asked = Locked(0)

    private func answer<Answer>(_ answer: Answer) async throws -> Answer {
        asked.withLock { $0 += 1 }
        _ = try await inner.traits()
        return answer
    }

    func shares(of path: ItemPath?) async throws -> [Share] { try await answer([]) }
    func sharesWithMe() async throws -> [Share] { try await answer([]) }
    func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share {
        throw CocoaError(.featureUnsupported)
    }
    func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share {
        throw CocoaError(.featureUnsupported)
    }
    func removeShare(_ share: Share) async throws {}
    func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee] { try await answer([]) }

    func traits() async throws -> ConnectionTraits { try await inner.traits() }
    func attributes(of path: ItemPath) async throws -> FileObject { try await inner.attributes(of: path) }
    func listing(of path: ItemPath) -> DirectoryListing { inner.listing(of: path) }
    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? { nil }
}
