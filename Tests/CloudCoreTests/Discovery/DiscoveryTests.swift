import FileProviding
import Foundation
import MemoryFiles
import TestSupport
import Testing

@testable import CloudCore

@Suite struct DiscoveryTests {
    @Test func `one change five levels deep costs one request per changed directory and one more`() async throws {
        let server = try Server()
        for branch in ["a", "b"] {
            try await server.folder(ItemPath(validating: "/\(branch)/2/3/4/5"))
            try await server.folder(ItemPath(validating: "/\(branch)/side/x"))
        }
        let first = try await server.core.scan()
        #expect(first.isComplete)
        #expect(first.listings == 15)
        #expect(try await server.known() == server.walked())
        _ = server.connection.requests()

        #expect(try await server.core.scan().listings == 0)
        #expect(server.connection.requests() == ["attributes /"])

        try await server.write("/a/2/3/4/5/new.txt")
        #expect(try await server.core.scan().isComplete)
        #expect(
            server.connection.requests().sorted()
                == [
                    "attributes /", "list /", "list /a", "list /a/2", "list /a/2/3", "list /a/2/3/4", "list /a/2/3/4/5",
                ])
        #expect(try await server.known() == server.walked())
    }

    @Test func `listing an unchanged directory again writes no row`() async throws {
        let server = try Server(pageSize: 10)
        for number in 0..<35 { try await server.write(ItemPath(validating: "/f/../file \(number)")) }
        try await server.core.scan()
        let before = try await server.core.anchor()
        #expect(try await server.core.deepCheck().listings == 1)
        #expect(try await server.core.anchor() == before)
    }

    @Test func `a moved directory keeps its items' identities and rewrites its own row only`() async throws {
        let server = try Server()
        try await server.folder("/from/tree/inner")
        try await server.folder("/to")
        for number in 0..<20 { try await server.write(ItemPath(validating: "/from/tree/inner/\(number)")) }
        try await server.core.scan()
        let tree = try #require(try await server.core.item(at: "/from/tree"))
        let leaf = try #require(try await server.core.item(at: "/from/tree/inner/7"))
        let before = try await server.core.anchor()

        try await server.provider.moveItem(path: "/from/tree", to: "/to/renamed")
        try await server.core.scan()
        #expect(try await server.core.item(tree.localID)?.path == "/to/renamed")
        #expect(try await server.core.item(leaf.localID)?.path == "/to/renamed/inner/7")
        let changed = try #require(try await server.core.changes(since: before)).items
        #expect(Set(changed.map(\.path.description)).isSubset(of: ["/", "/from", "/to", "/to/renamed"]))
        #expect(try await server.known() == server.walked())
    }

    @Test func `items that change places are told apart by their identifiers`() async throws {
        let server = try Server()
        try await server.folder("/one/inside one")
        try await server.folder("/two/inside two")
        try await server.core.scan()
        let one = try #require(try await server.core.item(at: "/one"))
        let inside = try #require(try await server.core.item(at: "/one/inside one"))
        try await server.provider.moveItem(path: "/one", to: "/tmp")
        try await server.provider.moveItem(path: "/two", to: "/one")
        try await server.provider.moveItem(path: "/tmp", to: "/two")
        try await server.core.scan()
        #expect(try await server.core.item(one.localID)?.path == "/two")
        #expect(try await server.core.item(inside.localID)?.path == "/two/inside one")
        #expect(try await server.known() == server.walked())
    }

    @Test func `the same name with another identifier is another item`() async throws {
        let server = try Server()
        try await server.write("/a", "first")
        try await server.core.scan()
        let first = try #require(try await server.core.item(at: "/a"))
        try await server.provider.removeItem(path: "/a")
        try await server.write("/a", "second")
        try await server.core.scan()
        let second = try #require(try await server.core.item(at: "/a"))
        #expect(second.localID != first.localID)
        #expect(try await server.core.item(first.localID)?.isRemoved == true)
    }

    @Test(arguments: [false, true])
    func `an identifier that is given again is not that of what had it`(isEdited: Bool) async throws {
        let server = try Server()
        try await server.write("/a", "first")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/a")))
        try await server.core.settle()
        if isEdited { try await server.edit("/a", "mine") }
        let item = try #require(try await server.core.item(at: "/a"))
        // A file that was restored from a backup.
        var other = FileObject(path: "/b", type: .regular)
        (other.fileID, other.etag, other.size) = (item.fileID, ETag(rawValue: "\"other\""), 5)
        other.modificationTime = FileTime(seconds: 1_000_000_000)
        let told = other
        try await server.core.vault.database.write { writer in
            _ = try writer.merge(
                told, in: .root, propagatesETags: true, uncertain: UncertainPlaces(), since: writer.reader.anchor())
        }
        #expect(try await server.core.item(item.localID)?.path == "/a")
        #expect(try await server.known() == ["/a", "/b"])
    }

    @Test func `an interrupted scan goes on where it was`() async throws {
        let server = try Server()
        for number in 0..<6 { try await server.folder(ItemPath(validating: "/\(number)/x")) }
        server.connection.fail(with: URLError(.networkConnectionLost))
        await #expect(throws: URLError.self) { try await server.core.scan() }
        server.connection.fail(with: nil)
        _ = try await server.core.scan()
        let listed = server.connection.requests().filter { $0.hasPrefix("list") }
        #expect(listed.count == 13)
        try await server.write("/3/x/new")
        try await server.write("/4/x/new")
        let file = try await server.provider.attributesOfItem(path: .root)
        // The root's news is taken over, and then the line is cut: the jobs for what is below must not be forgotten.
        try await server.core.vault.database.write { writer in
            let root = try writer.reader.item(.root)!
            try writer.update(root, to: ServerVersion(file))
            try writer.addJob(.root, .scan)
        }
        try await server.core.scan()
        #expect(try await server.known() == server.walked())
    }

    @Test func `a directory that the server refuses holds up no other, and is tried again`() async throws {
        let server = try Server()
        for name in ["a", "b", "c"] { try await server.folder(ItemPath(validating: "/\(name)/inner")) }
        server.connection.refuse("/b", true)
        let report = try await server.core.scan()
        #expect(report.isComplete)
        #expect(report.failures.count == 1)
        #expect((report.failures.first?.error as? CocoaError)?.code == .fileReadNoPermission)
        #expect(try await server.known() == ["/a", "/a/inner", "/b", "/c", "/c/inner"])
        #expect(try await server.core.scan().failures.count == 1)
        server.connection.refuse("/b", false)
        #expect(try await server.core.scan().failures.isEmpty)
        #expect(try await server.known() == server.walked())
    }

    /// The server answers, but not usably about this one, or not in time.
    @Test(arguments: [URLError.Code.cannotParseResponse, .timedOut])
    func `a directory whose listing breaks off holds up no other`(code: URLError.Code) async throws {
        let server = try Server()
        for name in ["a", "b", "c"] { try await server.folder(ItemPath(validating: "/\(name)/inner")) }
        server.connection.whenAsked { if $0 == "/b" { throw URLError(code) } }
        let report = try await server.core.scan()
        #expect(report.isComplete && (report.failures.map { ($0.error as? URLError)?.code }) == [code])
        #expect(try await server.known() == ["/a", "/a/inner", "/b", "/c", "/c/inner"])
        server.connection.whenAsked { _ in }
        #expect(try await server.core.scan().failures.isEmpty)
        #expect(try await server.known() == server.walked())
    }

    @Test func `a directory whose listing is asked for again while it is listed is listed once more`() async throws {
        let server = try Server()
        try await server.folder("/folder")
        try await server.sync()
        let (folder, isFirst) = (try await server.id("/folder"), Locked(true))
        server.connection.whenListed { [provider = server.provider, database = server.core.vault.database] path in
            guard path == "/folder", isFirst.withLock({ $0 }) else { return }
            isFirst.withLock { $0 = false }
            try await provider.writeContents(path: "/folder/late", contents: Data("late".utf8), overwrite: false)
            try await database.write { try $0.addJob(folder, .scan) }
        }
        try await server.core.vault.database.write { try $0.addJob(folder, .scan) }
        #expect(try await server.core.scan(budget: 1).isComplete)
        #expect(try await server.known() == ["/folder", "/folder/late"])
    }

    @Test func `a directory that vanishes while it is to be listed is given up, and comes back as itself`() async throws
    {
        let server = try Server()
        try await server.folder("/a/b")
        try await server.core.scan()
        let folder = try #require(try await server.core.item(at: "/a"))
        try await server.core.vault.database.write { try $0.addJob(folder.localID, .scan) }
        try await server.provider.moveItem(path: "/a", to: "/z")
        try await server.core.scan()
        #expect(try await server.core.item(folder.localID)?.path == "/z")
        #expect(try await server.known() == server.walked())
    }

    @Test func `a directory that another has replaced takes nothing of what that one holds`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.sync()
        let (old, isFirst) = (try await server.id("/a"), Locked(true))
        try await server.move("/a", to: "/moved")
        try await server.provider.removeItem(path: "/a")
        try await server.folder("/a")
        try await server.write("/a/file")
        // What is at the old path is asked for while the new directory is taken over.
        server.connection.whenListed { [discovery = server.core.discovery] path in
            guard path == "/a", isFirst.withLock({ $0 }) else { return }
            isFirst.withLock { $0 = false }
            try await discovery.refresh(old)
        }
        try await server.core.scan()
        #expect(try await server.known() == server.walked())
    }

    @Test(arguments: ["/a", "/a/inner"] as [ItemPath])
    func `a directory that is listed before it is known to be another has taken nothing for good`(
        path: ItemPath
    ) async throws {
        let server = try Server()
        try await server.folder("/a/inner")
        try await server.folder("/b/inner")
        try await server.write("/b/inner/file")
        try await server.core.scan()
        let folder = try await server.id(path)
        try await server.provider.removeItem(path: "/a")
        try await server.provider.moveItem(path: "/b", to: "/a")
        try await server.core.discovery.refresh(folder)
        try await server.core.scan()
        #expect(try await server.known() == server.walked())
    }

    @Test func `a directory that moves before its listing reaches the server takes nothing of what is there by then`()
        async throws
    {
        let server = try Server(propagates: false, hasFileIDs: false)
        try await server.folder("/a")
        try await server.folder("/b")
        try await server.write("/a/one")
        try await server.write("/b/two")
        try await server.core.scan()
        let (folder, file, isFirst) = try await (server.id("/a"), server.id("/a/one"), Locked(true))
        defer { server.connection.whenAsked { _ in } }
        server.connection.whenAsked { path in
            guard path == "/a", isFirst.withLock({ $0 }) else { return }
            isFirst.withLock { $0 = false }
            try await server.move("/a", to: "/c")
            try await server.core.settle()
            try await server.provider.moveItem(path: "/b", to: "/a")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The others wait for the first one's listing.
            for _ in 0..<8 { group.addTask { try await server.core.discovery.refresh(folder) } }
            try await group.waitForAll()
        }
        try await server.core.scan()
        #expect(try await server.known() == ["/a", "/a/two", "/c", "/c/one"])
        #expect(try await server.id("/c/one") == file)
    }

    @Test func `one directory that is refused keeps no other news of the server's from being looked at`() async throws {
        let server = try Server(propagates: false)
        for name in ["a", "b", "c"] { try await server.folder(ItemPath(validating: "/\(name)")) }
        try await server.scanned()
        for name in ["a", "b", "c"] { try await server.write(ItemPath(validating: "/\(name)/new")) }
        server.connection.refuse("/b", true)
        await #expect(throws: CocoaError.self) {
            try await server.core.look(at: [.changed("/a"), .changed("/b"), .changed("/c")], budget: 0)
        }
        #expect(try await server.known() == ["/a", "/a/new", "/b", "/c", "/c/new"])
        server.connection.refuse("/b", false)
        // Of the directories to be listed, those that have been told of come first.
        try await server.core.scan(budget: 1)
        #expect(try await server.known() == ["/a", "/a/new", "/b", "/b/new", "/c", "/c/new"])
    }

    @Test(arguments: [true, false])
    func `what is in a new directory that a server tells of is looked for at once`(propagates: Bool) async throws {
        let server = try Server(propagates: propagates)
        try await server.folder("/a")
        try await server.scanned()
        try await server.folder("/a/new/inner")
        try await server.write("/a/new/inner/file")
        try await server.core.look(at: [.changed("/a")], budget: 10)
        #expect(try await server.core.item(at: "/a/new/inner/file") != nil)
    }

    @Test func `what a server tells of is looked for where the server has it`() async throws {
        let server = try Server(propagates: false)
        for path in ["/old", "/old/deep"] as [ItemPath] { try await server.folder(path) }
        try await server.scanned()
        server.connection.fail(with: URLError(.timedOut))
        try await server.move("/old", to: "/new")
        _ = try await server.core.submit(.createFolder("old", in: .root))
        server.connection.fail(with: nil)
        for path in ["/old/file", "/old/deep/file"] as [ItemPath] { try await server.write(path) }
        try await server.core.look(at: [.changed("/old"), .changed("/old/deep")], budget: 0)
        #expect(try await server.core.item(at: "/new/file") != nil)
        #expect(try await server.core.item(at: "/new/deep/file") != nil)
    }

    @Test func `a directory that its parent tells of and that is not there is left to the next scan`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.folder("/b")
        server.connection.whenAsked { path in if path == "/a" { throw FileError.noSuchFile(path) } }
        let report = try await server.core.scan()
        #expect(report.failures.count == 1)
        #expect(report.listings <= 6)
        #expect(try await server.known() == ["/a", "/b"])
        server.connection.whenAsked { _ in }
        #expect(try await server.core.scan().failures.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a query whose directory is gone says so when it asks the server`(propagates: Bool) async throws {
        let server = try Server(propagates: propagates)
        try await server.folder("/a/b")
        try await server.core.scan()
        let query = try await server.running(.location("/a/b"))
        try await server.provider.removeItem(path: "/a")
        try await server.core.refresh(query)
        #expect(query.state == .targetRemoved)
        #expect(try await server.known() == [])
    }

    @Test func `the deep check finds what tags did not tell`() async throws {
        let server = try Server()
        try await server.folder("/a/b")
        try await server.core.scan()
        try await server.core.vault.database.write { writer in
            try writer.insert("ghost", in: writer.reader.item(at: "/a/b")!.localID, .file(), isOnServer: true)
        }
        try await server.core.scan()
        #expect(try await server.known() != server.walked())
        try await server.core.deepCheck()
        #expect(try await server.known() == server.walked())
    }

    @Test func `an unchanged tag is believed until the deep check is due, also when the clock is set back`()
        async throws
    {
        let now = Locked(FileTime(seconds: 1_700_000_000))
        let server = try Server(clock: { now.withLock { $0 } })
        try await server.folder("/a/b")
        try await server.core.scan()
        func listings(after seconds: Int64) async throws -> Int {
            now.withLock { $0 = FileTime(seconds: $0.seconds + seconds) }
            return try await server.core.scan(budget: 2).listings
        }
        #expect(try await listings(after: 6 * 86_400) == 0)
        #expect(try await listings(after: 2 * 86_400) == 2)
        #expect(try await listings(after: 60) == 1)
        #expect(try await listings(after: 60) == 0)
        #expect(try await listings(after: -86_400) == 2)
        #expect(try await listings(after: 0) == 1)
        #expect(try await listings(after: 0) == 0)
    }

    @Test func `a removal that a query meets has nothing looked at that is due for the deep check`() async throws {
        let now = Locked(FileTime(seconds: 1_700_000_000))
        let server = try Server(clock: { now.withLock { $0 } })
        for name in ["a", "b", "c"] { try await server.folder(ItemPath(validating: "/\(name)/inner")) }
        try await server.core.scan()
        now.withLock { $0 = $0.later(bySeconds: 8 * 86_400) }
        try await server.provider.removeItem(path: "/a/inner")
        _ = server.connection.requests()
        try await server.core.discovery.refresh(server.id("/a"))
        #expect(Set(server.connection.requests()) == ["attributes /", "list /", "list /a"])
        #expect(try await server.known() == server.walked())
    }

    @Test func `who asks while a listing is under way hears of what has come since that began`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.core.scan()
        let (folder, discovery) = (try await server.id("/a"), server.core.discovery)
        let second = Locked<Task<Void, any Error>?>(nil)
        server.connection.whenListed { [provider = server.provider] _ in
            guard second.withLock({ $0 }) == nil else { return }
            try await provider.writeContents(path: "/a/late", contents: Data("x".utf8), overwrite: false)
            second.withLock { $0 = Task { try await discovery.refresh(folder) } }
            while await discovery.refreshes < 2 { await Task.yield() }
        }
        _ = server.connection.requests()
        try await discovery.refresh(folder)
        try await second.withLock { $0 }?.value
        #expect(try await server.known() == ["/a", "/a/late"])
        #expect(server.connection.requests().filter { $0 == "list /a" }.count == 2)
    }

    @Test(arguments: [true, false])
    func `directories that are looked at together tell a move from a removal, whatever comes first`(
        propagates: Bool
    ) async throws {
        let server = try Server(propagates: propagates)
        try await server.folder("/a")
        try await server.folder("/b")
        try await server.write("/a/file")
        try await server.core.scan()
        let file = try #require(try await server.core.item(at: "/a/file"))
        let directories = [
            try #require(try await server.core.item(at: "/a")).localID,
            try #require(try await server.core.item(at: "/b")).localID,
        ]
        for (order, path) in [(directories, "/b/file"), (directories.reversed(), "/a/file")] as [([LocalID], ItemPath)]
        {
            let query = try await server.running(.custom)
            _ = query.changes()
            try await server.provider.moveItem(
                path: path == "/b/file" ? "/a/file" : "/b/file", to: path)
            try await server.core.discovery.refresh(order)
            try await server.core.pump.follow()
            #expect(try await server.core.item(file.localID)?.path == path)
            #expect(query.changes().removed.isEmpty)
            await server.core.stop(query)
        }
    }

    @Test func `a tag that becomes strong is no change, and is the one to ask with from then on`() async throws {
        let server = try Server()
        try await server.write("/a")
        server.connection.weakenTags(true)
        try await server.core.scan()
        let before = try await server.core.anchor()
        #expect(try await server.core.item(at: "/a")?.etag?.isWeak == true)
        for areWeak in [false, true] {
            server.connection.weakenTags(areWeak)
            try await server.core.deepCheck()
            #expect(try await server.core.item(at: "/a")?.etag?.isWeak == false)
        }
        #expect(try await server.core.anchor() == before)
    }

    @Test(arguments: [(true, true), (false, true), (true, false), (false, false)])
    func `after any changes the vault is as a fresh walk`(propagates: Bool, hasFileIDs: Bool) async throws {
        for seed in 0..<6 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let server = try Server(propagates: propagates, hasFileIDs: hasFileIDs, pageSize: 3)
            for round in 0..<6 {
                for _ in 0..<8 { try await server.changeSomething(&generator) }
                let report = try await server.core.scan(budget: 10_000)
                #expect(report.isComplete)
                let (known, walked) = try await (server.known(), server.walked())
                #expect(known == walked, "seed \(seed), round \(round)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `within a budget the directories that were not seen for longest come first`(jumpsBack: Bool) async throws {
        let time = Locked(FileTime(seconds: 2_000_000))
        let server = try Server(propagates: false, clock: { time.withLock { $0 } })
        for number in 0..<8 { try await server.folder(ItemPath(validating: "/\(number)")) }
        try await server.core.scan(budget: 9)
        while try await !server.core.scan(budget: 9).isComplete {}
        _ = server.connection.requests()
        if jumpsBack { time.withLock { $0 = FileTime(seconds: 1_000_000) } }
        var seen: Set<String> = []
        for _ in 0..<3 {
            time.withLock { $0 = $0.later(bySeconds: 1) }
            #expect(try await server.core.scan(budget: 3).listings == 3)
            seen.formUnion(server.connection.requests().filter { $0.hasPrefix("list") })
        }
        #expect(seen.count == 9)
    }

    @Test func `unsent changes survive the removal of their item, and of its directory`() async throws {
        let server = try Server()
        try await server.folder("/a/b")
        try await server.write("/a/b/edited")
        try await server.write("/a/b/plain")
        try await server.core.scan()
        let edited = try #require(try await server.core.item(at: "/a/b/edited"))
        try await server.core.vault.database.write { writer in
            let copy = LocalCopy(of: "edited")
            try writer.setModified(edited.localID, copy, size: 9, modificationTime: FileTime(seconds: 1))
        }
        try await server.provider.removeItem(path: "/a")
        try await server.core.scan()
        #expect(try await server.known() == ["/a", "/a/b", "/a/b/edited"])
        #expect(try await server.core.item(edited.localID)?.cloudStatus == .localOnly)
        #expect(try await server.core.item(edited.localID)?.size == 9)
    }

    @Test func `directories that are refused do not use up each scan`() async throws {
        let server = try Server(propagates: false)
        for number in 0..<6 { try await server.folder(ItemPath(validating: "/closed \(number)")) }
        try await server.folder("/open")
        for number in 0..<6 { server.connection.refuse(try ItemPath(validating: "/closed \(number)"), true) }
        for _ in 0..<4 { try await server.core.scan(budget: 4) }
        try await server.write("/open/new")
        for _ in 0..<4 { try await server.core.scan(budget: 4) }
        #expect(try await server.core.item(at: "/open/new") != nil)
    }
}

extension Server {
    /// One random change on the server.
    fileprivate func changeSomething(_ generator: inout SeededGenerator) async throws {
        let all = try await provider.recursiveListing(path: .root).collect()
        let folders = [ItemPath.root] + all.filter(\.isDirectory).map(\.path)
        let folder = folders.randomElement(using: &generator)!
        let target = folder.appending(try ItemName(validating: "n\(Int.random(in: 0..<6, using: &generator))"))
        let victim = all.randomElement(using: &generator)?.path
        do {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: try await provider.createDirectory(path: target)
            case 1: try await write(target, "\(Int.random(in: 0..<1000, using: &generator))")
            case 2: if let victim { try await provider.moveItem(path: victim, to: target) }
            case 3: if let victim { try await provider.removeItem(path: victim) }
            default: if let victim { try await provider.copyItem(path: victim, to: target) }
            }
        } catch is CocoaError {
            // A directory in a file's place, one moved into itself, a name that is taken: no change, then.
        }
    }
}
