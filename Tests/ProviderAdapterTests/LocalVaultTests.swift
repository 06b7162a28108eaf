import CloudCore
import FileProviders
import Foundation
import Glibc
import ProviderAdapter
import TestSupport
import Testing

@Suite struct LocalVaultTests {
    @Test func `a vault over a local folder is as a fresh walk, odd names, links and all`() async throws {
        let tree = try LocalTree()
        let vault = try VaultOver(tree.provider())
        let odd = try ItemName(validating: [0xFF, UInt8(ascii: "%"), 0xFE])
        try await vault.provider.createDirectory(path: "/a/b/c", createsParents: true)
        try await vault.provider.writeContents(path: ItemPath.root.appending(odd), contents: Data("x".utf8))
        try await vault.provider.writeContents(path: "/a/b/file", contents: Data("hello".utf8))
        #expect(link(tree.url.path + "/a/b/file", tree.url.path + "/a/second name") == 0)
        #expect(symlink("b/file", tree.url.path + "/a/link") == 0)
        try await vault.scanAll()
        #expect(try await vault.isAsWalked())

        // A second name of the same file is no move of the first.
        let anchor = try await vault.core.anchor()
        try await vault.scanAll()
        #expect(try await vault.core.anchor() == anchor)

        let folder = try #require(try await vault.core.item(at: "/a/b/c"))
        try await vault.provider.moveItem(path: "/a/b", to: "/moved")
        try await vault.provider.removeItem(path: "/a/second name")
        try await vault.scanAll()
        #expect(try await vault.isAsWalked())
        #expect(try await vault.core.item(folder.localID)?.path == "/moved/c")
        #expect(try await vault.core.item(at: "/moved/file")?.size == 5)
        #expect(try await vault.core.item(at: "/a/b/file") == nil)
    }

    @Test func `what is moved into a folder that is moved too is found in it`() async throws {
        let tree = try LocalTree()
        let vault = try VaultOver(tree.provider())
        for name in ["f", "g"] {
            try await vault.provider.writeContents(path: ItemPath(validating: "/\(name)"), contents: Data("x".utf8))
        }
        try await vault.scanAll()
        let (f, g) = (try await vault.keepCopy(of: "/f"), try await vault.keepCopy(of: "/g"))
        let name = try ItemName(validating: "A")
        _ = try await vault.core.submit(.createFolder(name, in: #require(try await vault.core.item(at: "/")).localID))
        try await vault.core.settle()
        _ = try await vault.core.submit(.modify(f, ByteStream(Data("mine".utf8))))

        try run("mv A Z && mv f g Z", in: tree)
        try await vault.scanAll()
        try await vault.core.settle()
        #expect(try await vault.core.item(f)?.path == "/Z/f")
        #expect(try await vault.core.item(g)?.path == "/Z/g")
        #expect(try await vault.core.item(g)?.cloudStatus == .localCopy)
        #expect(try await vault.isAsWalked())
        #expect(try await vault.provider.contents(path: "/Z/f") == Data("mine".utf8))
    }

    @Test func `what is written to an empty mount point is not forgotten when the disk is back`() async throws {
        let tree = try LocalTree()
        let root = try ItemPath(validating: tree.url.path + "/disk")
        let trial = try SyncTrial(LocalFileProvider(root: LocalPath("/")), root: root)
        try await trial.provider.createDirectory(path: root)
        for name in ["1", "2", "3"] { try await trial.write(root.appending(ItemName(validating: name)), name) }
        try await trial.sync()
        for name in ["1", "2", "3"] {
            _ = try await trial.core.submit(.download(trial.id(ItemPath(validating: "/\(name)"))))
        }
        try await trial.core.settle()

        try run("mv disk away && mkdir disk", in: tree)
        try await trial.put("news", at: "/news")
        try await trial.core.settle()
        try run("mv disk hidden && mv away disk", in: tree)
        try await trial.sync()
        #expect(try await trial.core.issues().map(\.id.kind) == [.serverWentBack])
        #expect(try await trial.core.item(at: "/news")?.isRemoved == false)
    }

    @Test func `a link that leads to a folder is that folder, and a link to a file is none`() async throws {
        let tree = try LocalTree()
        try run("mkdir real && echo x >real/f && ln -s real link && ln -s real/f file", in: tree)
        let machine = try LocalFileProvider(root: LocalPath("/"))
        let trial = try SyncTrial(machine, root: ItemPath(validating: tree.url.path + "/link"))
        try await trial.sync()
        #expect(try await trial.core.item(at: "/f")?.size == 2)
        let other = try SyncTrial(machine, root: ItemPath(validating: tree.url.path + "/file"))
        await #expect(throws: URLError.self) { try await other.core.scan() }
    }

    @Test func `what happens in the folder shows without a scan`() async throws {
        let tree = try LocalTree()
        let (watching, watcher) = AsyncStream.makeStream(of: Void.self)
        let vault = try VaultOver(tree.provider()) { watcher.yield() }
        try await vault.scanAll()
        let query = Query(.location("/"))
        vault.core.start(query)
        for await notification in query where notification.state == .idle { break }
        // The interval never ends while the test runs: only the folder's own news can bring the file in.
        let running = Task { await vault.core.run(every: .seconds(86_400)) }
        for await _ in watching { break }
        try await vault.provider.writeContents(path: "/news", contents: Data("x".utf8))
        for await _ in query where query.queryResults.contains(where: { $0.name == "news" }) { break }
        _ = query.changes()  // From here on a change is news again.
        try await vault.provider.removeItem(path: "/news")
        for await _ in query where query.queryResults.isEmpty { break }
        running.cancel()
        await running.value
    }

    @Test func `a folder that was removed while it is open is offline, and nothing is forgotten`() async throws {
        let tree = try LocalTree()
        let vault = try VaultOver(tree.provider())
        try await vault.provider.writeContents(path: "/kept", contents: Data("x".utf8))
        try await vault.scanAll()
        try FileManager.default.removeItem(at: tree.url)
        await #expect(throws: URLError.self) { try await vault.core.scan() }
        #expect(vault.core.connectionStatus == .offline)
        #expect(try await vault.core.item(at: "/kept")?.isRemoved == false)
    }

    @Test func `a folder that is restored from a backup reverts nothing that has a copy here, without an answer`()
        async throws
    {
        let tree = try LocalTree()
        let vault = try VaultOver(tree.provider())
        try await vault.provider.createDirectory(path: "/notes")
        for name in ["a", "b"] {
            try await vault.provider.writeContents(
                path: ItemPath(validating: "/notes/\(name)"), contents: Data("old".utf8))
        }
        let backup = try LocalTree()
        // As on another day: times are compared to the second.
        try run("find . -exec touch -d '2020-05-05 05:05' {} +", in: tree)
        try run("cp -a . '\(backup.url.path)'", in: tree)
        try await vault.provider.writeContents(path: "/notes/a", contents: Data("newer".utf8), overwrite: true)
        try await vault.provider.writeContents(path: "/notes/c", contents: Data("new".utf8))
        try await vault.scanAll()
        let (a, c) = (try await vault.keepCopy(of: "/notes/a"), try await vault.keepCopy(of: "/notes/c"))

        try run("rm -r notes && cp -a '\(backup.url.path)'/. .", in: tree)
        try await vault.scanAll()
        #expect(try await vault.core.issues().map(\.id.kind) == [.serverWentBack])
        for (id, size) in [(a, 5), (c, 3)] as [(LocalID, Int64)] {
            let item = try #require(try await vault.core.item(id))
            #expect(!item.isRemoved && item.size == size && item.cloudStatus == .localCopy)
        }
        try await vault.core.resolve(CloudCore.Issue.ID(.serverWentBack), with: .keepLocal)
        try await vault.scanAll()
        #expect(try await vault.core.item(at: "/notes/a")?.cloudStatus == .locallyModified)
        #expect(try await vault.core.item(at: "/notes/b")?.size == 3)
        #expect(try await vault.core.item(at: "/notes/c")?.localID == c)
        #expect(try await vault.core.item(c)?.cloudStatus == .localOnly)
        #expect(try await vault.core.summary().unsent == 2)
    }

    private func run(_ command: String, in tree: LocalTree) throws {
        try #require(try ChildProgram.run("/bin/sh", ["-ec", command], in: tree.url) == 0)
    }
}
