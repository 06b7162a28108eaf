import FileProviding
import Foundation
import GRDB
import MemoryFiles
import Testing

@testable import CloudCore

extension Server {
    /// Accepts a command and returns the item that it is about, without sending anything.
    @discardableResult
    func accept(_ command: Command) async throws -> PendingCommand { try await core.submit(command) }

    func id(_ path: ItemPath) async throws -> LocalID { try #require(try await core.item(at: path)).localID }

    func make(_ name: ItemName, in parent: ItemPath = .root) async throws {
        _ = try await accept(.createFolder(name, in: id(parent)))
    }

    func put(_ text: String, as name: ItemName, in parent: ItemPath = .root) async throws {
        _ = try await accept(.upload(ByteStream(Data(text.utf8)), as: name, in: id(parent)))
    }

    func edit(_ path: ItemPath, _ text: String) async throws {
        _ = try await accept(.modify(id(path), ByteStream(Data(text.utf8))))
    }

    func move(_ path: ItemPath, to target: ItemPath) async throws {
        let name = try #require(target.lastComponent)
        _ = try await accept(.move(id(path), to: id(target.parent ?? .root), as: name))
    }

    func copy(_ path: ItemPath, to target: ItemPath) async throws {
        let name = try #require(target.lastComponent)
        _ = try await accept(.copy(id(path), to: id(target.parent ?? .root), as: name))
    }

    func delete(_ path: ItemPath) async throws { _ = try await accept(.delete(id(path))) }

    /// Answers the first question there is, which is one of this kind.
    func answer(
        _ kind: CloudCore.Issue.Kind, _ answer: CloudCore.Issue.Answer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let issue = try #require(try await core.issues().first, sourceLocation: sourceLocation)
        #expect(issue.id.kind == kind, sourceLocation: sourceLocation)
        try await core.resolve(issue.id, with: answer)
    }

    /// Says that a directory goes although it holds what nobody here has seen, and expects that it has gone.
    func insistOnRemoval(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await sync()
        try await answer(.changedBeforeDeletion, .replace, sourceLocation: sourceLocation)
        try await expectConverged(sourceLocation: sourceLocation)
    }

    /// What the server has in a file.
    func text(_ path: ItemPath) async throws -> String {
        String(decoding: try await provider.contents(path: path), as: UTF8.self)
    }

    /// What the vault's copy of a file has.
    func copied(_ path: ItemPath) async throws -> String? {
        try await core.localCopy(of: id(path)).map { try scratch.read($0) }
    }

    /// What is in the recovery folder, whatever the names.
    func recovered() throws -> [String] {
        let folder = core.vault.folder.appending("recovery")
        return try folder.entryNames().flatMap { stamp in
            let place = folder.appending(stamp.bytes)
            return try place.entryNames().map { try scratch.read(place.appending($0.bytes)) }
        }.sorted()
    }

    /// Does everything that can be done, and looks at the server until nothing is left to be looked at.
    func sync() async throws {
        try await core.settle()
        while try await !core.scan(budget: 1_000).isComplete {}
        try await core.settle()
    }

    /// Expects that nothing is pending, and that the vault's items are those of a fresh walk, contents' sizes included.
    func expectConverged(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        // Those of commands that have not been sent; a listing counts anew.
        #expect(try await miscounted() == [], sourceLocation: sourceLocation)
        try await sync()
        #expect(try await core.syncRecords().isEmpty, sourceLocation: sourceLocation)
        #expect(try await knownItems() == walkedItems(), sourceLocation: sourceLocation)
        #expect(try await miscounted() == [], sourceLocation: sourceLocation)
    }

    /// The listed directories that have another number of entries than they tell.
    func miscounted() async throws -> [String] {
        try await core.vault.database.read { reader in
            try String.fetchAll(
                reader.database,
                sql: """
                    SELECT name || ': ' || ifnull(childrenCount, '-') FROM items JOIN listings ON directoryID = localID
                    WHERE removedAt IS NULL AND childrenCount IS NOT (
                        SELECT count(*) FROM items AS entries
                        WHERE entries.parentID = items.localID AND entries.removedAt IS NULL)
                    """)
        }
    }

    /// The vault's items, each with what tells it from others.
    func knownItems() async throws -> [String] {
        try await core.vault.database.read { reader in
            var items: [String] = []
            try reader.forEachItem(in: .vault, where: .all, sorted: nil) {
                items.append("\($0.path) \($0.size ?? -1) \($0.fileID ?? "") \($0.cloudStatus == .localOnly)")
            }
            return items.sorted()
        }
    }

    /// The server's items, in the same way.
    func walkedItems() async throws -> [String] {
        try await provider.recursiveListing(path: .root).collect().map {
            "\($0.path) \($0.size ?? -1) \(connection.hasFileIDs ? $0.fileID ?? "" : "") false"
        }.sorted()
    }
}
