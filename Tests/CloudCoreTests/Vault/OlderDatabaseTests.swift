import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Someone puts an older `database.sqlite` back into a vault's folder.
@Suite struct OlderDatabaseTests {
    private func file(of server: Server) -> String {
        server.core.vault.folder.appending("database.sqlite").description
    }

    /// A vault with the database of before `change`, and what its anchor was afterwards.
    private func goingBack(
        over change: (Server) async throws -> Void
    ) async throws -> (server: Server, anchor: SyncAnchor) {
        let first = try Server()
        try await first.write("/file", "text")
        try await first.sync()
        try await first.make("folder")
        try await first.core.close()
        let old = try Data(contentsOf: URL(filePath: file(of: first)))
        let later = try await first.reopened()
        try await change(later)
        let anchor = try await later.core.anchor()
        try await later.core.close()
        #expect(try Data(contentsOf: URL(filePath: file(of: first))) != old)
        try old.write(to: URL(filePath: file(of: first)))
        return (try await later.reopened(), anchor)
    }

    @Test func `edits that it does not know are in the recovery folder, and an issue says so, once`() async throws {
        let (server, anchor) = try await goingBack { later in
            try await later.put("precious", as: "new")
            try await later.edit("/file", "edited")
        }
        let copies = try #require(try server.core.vault.recovered?.entryNames())
        #expect(copies.count == 1)
        let place = server.core.vault.folder.appending("recovery").appending(copies[0].bytes).appending("copies")
        let rescued = try place.entryNames().flatMap { copy in
            let folder = place.appending(copy.bytes)
            return try folder.entryNames().map { name in try server.scratch.read(folder.appending(name.bytes)) }
        }
        #expect(rescued.sorted() == ["edited", "precious"])
        let issue = try #require(try await server.core.issues().first)
        #expect(issue.id.kind == .databaseWentBack && issue.detail.contains(place.description))
        // What comes counts through the same numbers.
        #expect(try await server.core.changes(since: anchor) == nil)
        try await server.core.resolve(issue.id, with: .acknowledge)
        try await server.core.vacuum()
        try await server.expectConverged()
        #expect(try place.entryNames().count == 2)
        let again = try await server.reopened()
        #expect(try await again.core.issues().isEmpty)
        #expect(try again.core.vault.recovered?.entryNames().count == 1)
    }

    @Test(arguments: [1024, 8192])
    func `a database that is damaged from some byte on is set aside, and the new one is no older one`(
        from start: Int
    ) async throws {
        let server = try Server()
        for number in 0..<200 { try await server.make(ItemName(validating: "folder \(number)")) }
        try await server.put("precious", as: "new")
        try await server.core.close()
        var bytes = try Data(contentsOf: URL(filePath: file(of: server)))
        bytes.replaceSubrange(start..<min(start + 40_960, bytes.count), with: Data(repeating: 0xA5, count: 40_960))
        try bytes.write(to: URL(filePath: file(of: server)))
        let again = try await server.reopened()
        #expect(again.core.vault.rebuild != nil)
        #expect(try await again.core.issues().map(\.id.kind) == [.databaseRebuilt])
        try await again.make("folder")
        let later = try await again.reopened()
        #expect(try await later.core.issues().map(\.id.kind) == [.databaseRebuilt])
    }

    @Test func `what has been sent or listed since is found on the server`() async throws {
        let (server, anchor) = try await goingBack { later in
            try await later.write("/other")
            try await later.sync()
        }
        #expect(try await server.core.issues().map(\.id.kind) == [.databaseWentBack])
        #expect(try server.core.vault.recovered == nil)
        #expect(try await server.core.changes(since: anchor) == nil)
        try await server.expectConverged()
        #expect(try await server.provider.contentsOfDirectory(path: .root).count == 3)
    }
}
