import CloudCore
import FileProviders
import Foundation
import Glibc
import Testing

/// A remote whose folder is not there is a remote that is away: nothing is lost, and all goes on when it is back.
@Suite struct AbsentRootTests {
    /// All of this machine, and where a folder is in it.
    private func machine(_ tree: LocalTree) throws -> (provider: LocalFileProvider, root: ItemPath) {
        (try LocalFileProvider(root: LocalPath("/")), try ItemPath(validating: tree.url.path))
    }

    @Test func `a local folder that is renamed away is offline, and everything goes on when it is back`() async throws {
        let tree = try LocalTree()
        let away = tree.url.path + " away"
        let (provider, root) = try machine(tree)
        try await followAbsence(
            of: provider, at: root, hiding: { rename(tree.url.path, away) == 0 },
            showing: { rename(away, tree.url.path) == 0 })
    }

    @Test(arguments: SyncSubject.running)
    func `a folder of a server that is renamed away is offline, and everything goes on when it is back`(
        subject: SyncSubject
    ) async throws {
        try await subject.withFolder { provider in
            try await provider.createDirectory(path: "/shared")
            try await followAbsence(
                of: provider, at: "/shared",
                hiding: {
                    try await provider.moveItem(path: "/shared", to: "/elsewhere")
                    return true
                },
                showing: {
                    try await provider.moveItem(path: "/elsewhere", to: "/shared")
                    return true
                })
        }
    }

    private func followAbsence(
        of provider: any FileProvider, at root: ItemPath, hiding hide: () async throws -> Bool,
        showing show: () async throws -> Bool
    ) async throws {
        let trial = try SyncTrial(provider, root: root)
        for name in ["edited", "removed", "moved", "kept"] {
            try await trial.write(root.appending(ItemName(validating: name)), name)
        }
        try await provider.createDirectory(path: root.appending(ItemName(validating: "folder")))
        try await trial.sync()
        try #require(try await hide())

        await #expect(throws: URLError.self) { try await trial.core.scan() }
        #expect(trial.core.connectionStatus == .offline)
        try await trial.edit("/edited", "mine")
        try await trial.delete("/removed")
        try await trial.move("/moved", to: "/folder/moved")
        try await trial.put("new", at: "/folder/new")
        try await trial.make("/made")
        _ = try await trial.core.submit(.download(trial.id("/kept")))
        for _ in 0..<5 {
            await trial.core.reconnect()
            try await trial.core.settle()
            await #expect(throws: URLError.self) { try await trial.core.deepCheck() }
        }
        #expect(trial.core.connectionStatus == .offline)
        #expect(try await trial.core.issues().isEmpty)
        #expect(try await trial.core.syncRecords().count == 6)
        let query = Query(.location("/"))
        trial.core.start(query)
        var news = query.makeAsyncIterator()
        while query.queryResults.isEmpty, await news.next() != nil {}
        await #expect(throws: URLError.self) { try await trial.core.refresh(query) }
        #expect(query.queryResults.map(\.name) == ["edited", "folder", "kept", "made"])
        await trial.core.stop(query)

        try #require(try await show())
        try await trial.sync()
        #expect(trial.core.connectionStatus == .online)
        #expect(try await trial.core.syncRecords().isEmpty)
        #expect(try await trial.core.issues().isEmpty)
        #expect(try trial.recovered().isEmpty)
        let walked = try await provider.recursiveListing(path: root).collect()
            .compactMap { $0.path.relative(to: root)?.description }
        #expect(walked.sorted() == ["/edited", "/folder", "/folder/moved", "/folder/new", "/kept", "/made"])
        #expect(try await trial.text(root.appending("/edited" as ItemPath)) == "mine")
    }

    @Test func `an empty folder where a disk was mounted takes nothing away without an answer`() async throws {
        let tree = try LocalTree()
        let away = tree.url.path + " away"
        let (provider, root) = try machine(tree)
        let trial = try SyncTrial(provider, root: root)
        for name in ["a", "b"] { try await trial.write(root.appending(ItemName(validating: name)), name) }
        try await trial.sync()
        let items = try await trial.core.children(of: .root)
        try #require(rename(tree.url.path, away) == 0 && mkdir(tree.url.path, 0o700) == 0)
        try await trial.sync()
        #expect(try await trial.core.issues().count == 1)
        #expect(try await trial.core.children(of: .root) == items)

        try #require(rmdir(tree.url.path) == 0 && rename(away, tree.url.path) == 0)
        try await trial.sync()
        #expect(try await trial.core.issues().isEmpty)
        #expect(try await trial.core.children(of: .root).map(\.localID) == items.map(\.localID))
    }
}
