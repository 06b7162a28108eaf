import FileProviding
import Foundation
import MemoryFiles
import ProviderAdapter
import Testing

@testable import CloudCore

/// A server that comes back empty, or as it was earlier: nothing here goes before someone has agreed.
@Suite struct LossTests {
    @Test(arguments: [(true, true), (false, true), (true, false), (false, false)])
    func `a server that comes back empty costs nothing here`(propagates: Bool, hasFileIDs: Bool) async throws {
        let server = try await filled(Server(propagates: propagates, hasFileIDs: hasFileIDs))
        let before = try await server.known()
        for name in ["/photos", "/notes.txt"] as [ItemPath] { try await server.provider.removeItem(path: name) }
        for _ in 0..<3 { try await server.core.scan(budget: 3) }
        let issue = try #require(try await server.core.issues().first)
        #expect(issue.id == CloudCore.Issue.ID(.itemsVanished))
        #expect(issue.detail == "the server no longer has 14 of 14 items, 1 with a copy here")
        #expect(try await server.known() == before)
        #expect(try await server.copyText() == "precious")
    }

    @Test func `an item that makes room for another does not take a name that the server gives to a third`()
        async throws
    {
        let now = FileTime(seconds: 1_800_000_000)
        let server = try Server(clock: { now })
        let marked = ItemPath.root.appending(try ItemName(validating: "a").marked(now, 1))
        // The third is known for longer, so that its name is given up first.
        try await server.write(marked)
        try await server.sync()
        try await server.folder("/a")
        try await server.sync()
        _ = try await server.accept(.download(server.id(marked)))
        try await server.core.settle()
        let unsent = try ItemName(validating: "unsent")
        _ = try await server.core.submit(.upload(ByteStream(Data("mine".utf8)), as: unsent, in: server.id("/a")))

        for path in [marked, "/a"] { try await server.provider.removeItem(path: path) }
        try await server.write("/a")
        try await server.folder(marked)
        try await server.core.scan(budget: 100)
        let paths = try await server.known()
        #expect(Set(paths).count == paths.count, "\(paths)")
    }

    @Test func `what somebody has emptied of much else is no loss of everything`() async throws {
        let server = try Server()
        for folder in 0..<20 {
            try await server.folder(ItemPath(validating: "/\(folder)"))
            for file in 0..<3 { try await server.write(ItemPath(validating: "/\(folder)/\(file)")) }
        }
        try await server.folder("/rest")
        for file in 0..<100 { try await server.write(ItemPath(validating: "/rest/\(file)")) }
        try await server.sync()
        _ = try await server.accept(.download(server.id("/0/0")))
        try await server.core.settle()
        for folder in 0..<20 {
            for file in 0..<3 { try await server.provider.removeItem(path: ItemPath(validating: "/\(folder)/\(file)")) }
        }
        try await server.sync()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.known().count == 121)
    }

    @Test func `what is gone wherever a scan looks is not given up little by little`() async throws {
        let server = try Server(propagates: false, hasFileIDs: false)
        for folder in 0..<40 {
            try await server.folder(ItemPath(validating: "/\(folder)"))
            for file in 0..<3 { try await server.write(ItemPath(validating: "/\(folder)/\(file)")) }
        }
        try await server.sync()
        try await server.core.setAvailableOffline(.root, true)
        try await server.core.followPolicies()
        try await server.core.settle()
        for folder in 0..<40 {
            for file in 0..<3 { try await server.provider.removeItem(path: ItemPath(validating: "/\(folder)/\(file)")) }
        }
        for _ in 0..<4 { try await server.core.scan(budget: 20) }
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        #expect(try await server.known().count == 160)
    }

    @Test(arguments: [false, true])
    func `what may be all that is left stays, whatever policies and people want of its copy`(isAsked: Bool) async throws
    {
        let time = Locked(FileTime(seconds: 1_000_000))
        let server = try Server(
            clock: { time.withLock { $0 } }, rules: CopyRules(expiration: isAsked ? nil : .seconds(3_600)))
        _ = try await filled(server)
        for name in ["/photos", "/notes.txt"] as [ItemPath] { try await server.provider.removeItem(path: name) }
        try await server.scanned()
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        time.withLock { $0 = $0.later(bySeconds: 7_200) }
        if isAsked {
            try await server.core.removeCopy(of: server.id("/notes.txt"))
        } else {
            try await server.core.followPolicies()
        }
        #expect(try await server.copyText() == "precious")
    }

    /// A gateway in front of one directory, as an external storage that is away.
    private struct Gateway: FileProviderHTTPError {
        var statusCode = 504
        var path = "/b"
        var serverDescription: String?
    }

    @Test func `what is missing while a directory cannot be listed is not gone`() async throws {
        let server = try Server()
        for path in ["/a", "/b"] as [ItemPath] { try await server.folder(path) }
        try await server.write("/a/file")
        try await server.sync()
        let id = try await server.id("/a/file")
        try await server.provider.moveItem(path: "/a/file", to: "/b/file")
        server.connection.whenAsked { if $0 == "/b" { throw Gateway() } }
        let report = try await server.core.scan()
        #expect(report.failures.count == 1)
        #expect(try await server.core.item(id)?.isRemoved == false)

        server.connection.whenAsked { _ in }
        try await server.core.scan()
        #expect(try await server.core.item(id)?.path == "/b/file")
    }

    @Test func `a directory that cannot be listed for long holds up no loss`() async throws {
        let time = Locked(FileTime(seconds: 1_000_000))
        let server = try Server(clock: { time.withLock { $0 } })
        for path in ["/a", "/b"] as [ItemPath] { try await server.folder(path) }
        for path in ["/a/file", "/kept"] as [ItemPath] { try await server.write(path) }
        try await server.sync()
        let id = try await server.id("/a/file")
        try await server.write("/b/new")
        server.connection.whenAsked { if $0 == "/b" { throw Gateway() } }
        try await server.provider.removeItem(path: "/a/file")
        try await server.core.scan()
        #expect(try await server.core.item(id)?.isRemoved == false)
        for isLast in [false, true] {
            time.withLock { $0 = $0.later(bySeconds: 8 * 86_400) }
            try await server.core.scan()
            #expect((try await server.core.item(id)?.isRemoved != false) == isLast)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a scan of a server on which something always changes ends`() async throws {
        let server = try Server()
        try await server.folder("/a")
        for path in ["/a/file", "/kept"] as [ItemPath] { try await server.write(path) }
        try await server.sync()
        let (provider, count) = (server.provider, Locked(0))
        server.connection.whenListed { path in
            guard path.isRoot else { return }
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await provider.writeContents(path: ItemPath(validating: "/\(number)"), contents: Data())
        }
        try await server.provider.removeItem(path: "/a/file")
        let id = try await server.id("/a/file")
        try await server.core.scan()
        #expect((1...4).contains(count.withLock { $0 }))
        #expect(try await server.core.item(id)?.isRemoved != false)
    }

    @Test func `what moves into a directory that a scan has listed before is not gone`() async throws {
        let server = try Server()
        for path in ["/a", "/b"] as [ItemPath] { try await server.folder(path) }
        try await server.write("/a/file")
        try await server.sync()
        let id = try await server.id("/a/file")
        for path in ["/a/new", "/b/new"] as [ItemPath] { try await server.write(path) }
        let (isListed, provider) = (Locked(false), server.provider)
        server.connection.whenListed { path in
            guard path == "/b", isListed.withLock({ !$0 }) else { return }
            try await provider.moveItem(path: "/a/file", to: "/b/file")
            isListed.withLock { $0 = true }
        }
        server.connection.whenAsked { path in
            for _ in 0..<1_000 where path == "/a" && isListed.withLock({ !$0 }) {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        try await server.core.scan()
        #expect(try await server.core.item(id)?.isRemoved == false)
        #expect(try await server.core.item(id)?.path == "/b/file")
    }

    @Test func `what a command may be at work on does not hide that all else is gone`() async throws {
        let server = try await filled(Server())
        try await server.write("/a")
        try await server.scanned()
        let id = try await server.id("/a")
        // A program that was killed in the middle of a download leaves it like this.
        try await server.core.vault.database.write { writer in
            try writer.addRecord(EventID(), of: id, .download)
            try writer.execute("UPDATE syncRecords SET phase = 'running'", [])
        }
        try await server.empty()
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        #expect(try await server.copyText() == "precious")
    }

    @Test func `what is new on an empty server does not hide that all else is gone`() async throws {
        let server = try await filled(Server())
        try await server.empty()
        try await server.write("/new")
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        #expect(try await server.copyText() == "precious")
    }

    @Test func `what is new in the place of the only copy does not hide that all is gone`() async throws {
        let server = try Server()
        try await server.write("/notes.txt", "precious")
        try await server.scanned()
        _ = try await server.accept(.download(server.id("/notes.txt")))
        try await server.core.settle()
        try await server.provider.removeItem(path: "/notes.txt")
        for name in ["a", "b", "c"] { try await server.write(ItemPath(validating: "/\(name)")) }
        for _ in 0..<2 {
            try await server.core.scan()
            #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        }
        #expect(try await server.copyText() == "precious")
    }

    @Test func `the only file under another name is not lost`() async throws {
        let server = try Server(hasFileIDs: false)
        try await server.write("/notes.txt", "precious")
        try await server.scanned()
        _ = try await server.accept(.download(server.id("/notes.txt")))
        try await server.core.settle()
        try await server.provider.moveItem(path: "/notes.txt", to: "/renamed.txt")
        try await server.core.scan()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.known() == ["/renamed.txt"])
    }

    @Test func `a download that broke off does not hide that a few copies are all gone`() async throws {
        let server = try Server()
        for name in ["a", "b", "notes.txt"] {
            try await server.write(ItemPath(validating: "/\(name)"), "precious")
        }
        try await server.scanned()
        for path in ["/a", "/notes.txt"] as [ItemPath] { _ = try await server.accept(.download(server.id(path))) }
        try await server.core.settle()
        let id = try await server.id("/b")
        try await server.core.vault.database.write { writer in
            try writer.addRecord(EventID(), of: id, .download)
            try writer.execute("UPDATE syncRecords SET isDoubtful = 1", [])
        }
        for path in ["/a", "/b", "/notes.txt"] as [ItemPath] { try await server.provider.removeItem(path: path) }
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        #expect(try await server.copyText() == "precious")
    }

    @Test func `what is not judged hides no empty server, and few losses beside much of it are none`() {
        #expect(Losses(known: 7, gone: 5, unjudged: 1, goneCopies: 5).issue == .itemsVanished)
        #expect(Losses(known: 90, gone: 49, unjudged: 40, goneCopies: 9).issue == .itemsVanished)
        #expect(Losses(known: 100, gone: 5, unjudged: 94, goneCopies: 1).issue == nil)
    }

    /// One scan does not list so many folders.
    /// One scan does not list so many folders.
    @Test(arguments: [0, 80])
    func `a folder with an earlier time and a copy that is gone are a backup, also without identifiers`(
        others: Int
    ) async throws {
        let server = try Server(propagates: false, hasFileIDs: false)
        for number in 0..<others { try await server.folder(ItemPath(validating: "/other \(number)")) }
        try await server.scanned()
        for path in ["/d/old", "/d/notes.txt", "/kept"] as [ItemPath] {
            if let parent = path.parent { try await server.folder(parent) }
            try await server.write(path, "precious")
        }
        try await server.scanned()
        _ = try await server.accept(.download(server.id("/d/notes.txt")))
        try await server.core.settle()
        // It is the last one's turn to be listed again.
        try await server.core.discovery.refresh(server.id("/d"))
        try await server.provider.removeItem(path: "/d/notes.txt")
        _ = try await server.provider.setAttributes(
            ItemAttributes(modificationTime: FileTime(seconds: 1_000_000)), of: "/d")
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.serverWentBack])
        #expect(try await server.copied("/d/notes.txt") == "precious")
    }

    @Test(arguments: [CloudCore.Issue.Answer.keepLocal, .takeServer])
    func `what was moved out of a directory that is gone is lost with it, and its copy is not`(
        answer: CloudCore.Issue.Answer
    ) async throws {
        let server = try await filled(Server())
        _ = try await server.accept(.download(server.id("/photos/1.jpg")))
        try await server.core.settle()
        server.connection.fail(with: URLError(.timedOut))
        try await server.move("/photos/1.jpg", to: "/mine.jpg")
        server.connection.fail(with: nil)
        try await server.empty()
        try await server.core.scan()
        let issue = try #require(try await server.core.issues().first)
        #expect(issue.detail == "the server no longer has 14 of 14 items, 2 with a copy here")
        try await server.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: answer)
        try await server.core.vacuum()
        if answer == .keepLocal {
            #expect(try await server.copied("/mine.jpg") == "x")
        } else {
            #expect(Set(try server.recovered().values) == ["precious", "x"])
        }
    }

    @Test func `what is there again after all settles the issue by itself`() async throws {
        let server = try await filled(Server())
        let before = try await server.known()
        // As when a volume is not mounted.
        server.connection.connect(to: ProviderAdapter(MemoryFileProvider()))
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        server.connection.connect(to: ProviderAdapter(server.provider))
        try await server.core.scan()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.known() == before)
        #expect(try await server.core.item(at: "/notes.txt")?.cloudStatus == .localCopy)
    }

    @Test func `more directories than are listed at a time are found when they are there again`() async throws {
        let server = try Server(propagates: false)
        for number in 0..<20 { try await server.folder(ItemPath(validating: "/data/\(number)")) }
        try await server.scanned()
        let before = try await server.known()
        server.connection.connect(to: ProviderAdapter(MemoryFileProvider()))
        for _ in 0..<12 { try await server.core.scan(budget: 4) }
        #expect(try await !server.core.issues().isEmpty)
        server.connection.connect(to: ProviderAdapter(server.provider))
        for _ in 0..<6 { try await server.core.scan(budget: 4) }
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.known() == before)
    }

    @Test
    func `what is put into a folder that the server has lost waits for the answer about that, and asks nothing itself`()
        async throws
    {
        let passed = Locked<Int64>(0)
        let server = try await filled(Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) }))
        try await server.empty()
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        try await server.put("pending", as: "new", in: "/photos")
        for _ in 0..<8 {
            try await server.core.settle()
            passed.withLock { $0 += 60 }
        }
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        try await server.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: .takeServer)
        passed.withLock { $0 += 60 }
        try await server.expectConverged()
        #expect(try await server.walked() == ["/photos", "/photos/new"])
    }

    @Test func `agreeing takes over the emptiness and saves the copies`() async throws {
        let server = try await filled(Server())
        try await server.empty()
        try await server.core.scan()
        try await server.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: .takeServer)
        #expect(try await server.known().isEmpty)
        #expect(try await server.core.issues().isEmpty)
        #expect(try server.recovered() == ["notes.txt": "precious"])
    }

    @Test(arguments: [true, false])
    func `disagreeing keeps what has become another kind of item`(wasDirectory: Bool) async throws {
        let server = try await filled(Server())
        try await server.folder("/other")
        try await server.write("/other/inner", "inner")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/other/inner")))
        try await server.core.settle()
        try await server.writeBack(wasDirectory ? "/notes.txt" : "/other/inner", "older")
        let place: ItemPath = wasDirectory ? "/other" : "/notes.txt"
        try await server.provider.removeItem(path: place)
        if wasDirectory { try await server.write(place, "a file") } else { try await server.folder(place) }
        try await server.scanned()
        try await server.answer(.serverWentBack, .keepLocal)
        try await server.sync()
        for issue in try await server.core.issues() { try await server.core.resolve(issue.id, with: .keepBoth) }
        try await server.expectConverged()
        let texts = try await server.provider.recursiveListing(path: .root).collect().filter(\.isRegularFile)
        var kept: Set<String> = []
        for file in texts { kept.insert(try await server.text(file.path)) }
        #expect(kept.contains(wasDirectory ? "inner" : "precious"), "\(kept)")
    }

    @Test func `what was given up and comes back has no copy any more`() async throws {
        let server = try await filled(Server())
        server.connection.connect(to: ProviderAdapter(MemoryFileProvider()))
        try await server.core.scan()
        try await server.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: .takeServer)
        server.connection.connect(to: ProviderAdapter(server.provider))
        try await server.core.scan()
        #expect(try await server.core.item(at: "/notes.txt")?.cloudStatus == .cloudOnly)
        #expect(try server.recovered() == ["notes.txt": "precious"])
    }

    @Test func `disagreeing keeps what has a copy, as something to be sent`() async throws {
        let server = try await filled(Server())
        try await server.empty()
        try await server.core.scan()
        try await server.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: .keepLocal)
        try await server.core.scan()
        #expect(try await server.known() == ["/notes.txt"])
        #expect(try await server.core.item(at: "/notes.txt")?.cloudStatus == .localOnly)
        #expect(try await server.copyText() == "precious")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `a file that another replaces, as editors do, is a new item at once`() async throws {
        let server = try await filled(Server())
        let old = try #require(try await server.core.item(at: "/notes.txt"))
        try await server.provider.removeItem(path: "/notes.txt")
        try await server.write("/notes.txt", "newer")
        try await server.core.scan()
        let new = try #require(try await server.core.item(at: "/notes.txt"))
        #expect(new.localID != old.localID)
        #expect(new.size == 5)
        #expect(try await server.core.item(old.localID)?.isRemoved == true)
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `files with copies that change places keep their identities`() async throws {
        let server = try await filled(Server())
        try await server.write("/other.txt", "other one")
        try await server.core.scan()
        let notes = try #require(try await server.core.item(at: "/notes.txt"))
        let other = try #require(try await server.core.item(at: "/other.txt"))
        for item in [notes, other] { _ = try await server.core.submit(.download(item.localID)) }
        try await server.core.settle()
        try await server.provider.moveItem(path: "/notes.txt", to: "/tmp")
        try await server.provider.moveItem(path: "/other.txt", to: "/notes.txt")
        try await server.provider.moveItem(path: "/tmp", to: "/other.txt")
        try await server.core.scan()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.core.item(notes.localID)?.path == "/other.txt")
        #expect(try await server.core.item(other.localID)?.path == "/notes.txt")
        #expect(try await server.known() == server.walked())
    }

    @Test(arguments: [true, false])
    func `a directory that was made anew is compared entry by entry`(isRestored: Bool) async throws {
        let server = try await filled(Server())
        let photo = try #require(try await server.core.item(at: "/photos/1.jpg"))
        _ = try await server.core.submit(.download(photo.localID))
        try await server.core.settle()
        try await server.provider.removeItem(path: "/photos")
        try await server.folder("/photos")
        if isRestored {
            try await server.writeBack("/photos/1.jpg", "old")
        } else {
            try await server.write("/photos/1.jpg")
        }
        try await server.core.scan()
        #expect(try await server.core.item(photo.localID)?.isRemoved == !isRestored)
        #expect(try await server.core.issues().map(\.id.kind) == (isRestored ? [.serverWentBack] : []))
        if !isRestored { #expect(try await server.known() == server.walked()) }
    }

    @Test(arguments: [
        (time: 10_400_000_000, size: 4, isBack: true), (10_400_000_000, 3, false), (10_000_000_000, 4, false),
        (10_600_000_000, 4, false), (9_000_000_000, 4, true), (9_000_000_000, 3, false), (7_000_000_000, 3, true),
    ])
    func `an earlier version is told by its time, as finely as both have one`(
        time: Int64, size: Int64, isBack: Bool
    ) {
        var (known, other) = (ServerVersion(type: .regular), ServerVersion(type: .regular))
        (known.size, known.modificationTime) = (3, FileTime(nanoseconds: 10_500_000_000))
        (other.size, other.modificationTime) = (size, FileTime(nanoseconds: time))
        #expect(other.wentBack(from: known) == isBack)
    }

    @Test func `an ordinary deletion is taken over at once`() async throws {
        let server = try await filled(Server())
        try await server.provider.removeItem(path: "/notes.txt")
        try await server.core.scan()
        #expect(try await server.core.item(at: "/notes.txt") == nil)
        #expect(try await server.core.issues().isEmpty)
    }

    @Test(arguments: [CloudCore.Issue.Answer.keepLocal, .takeServer])
    func `an earlier version than the copy's is not taken over without an answer`(answer: CloudCore.Issue.Answer)
        async throws
    {
        let server = try await filled(Server())
        let known = try #require(try await server.core.item(at: "/notes.txt"))
        try await server.writeBack("/notes.txt", "old")
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.serverWentBack])
        let kept = try #require(try await server.core.item(known.localID))
        #expect(kept.version == known.version)
        #expect(kept.newerVersion?.size == 3)
        #expect(kept.cloudStatus == .localCopy)

        try await server.core.resolve(CloudCore.Issue.ID(.serverWentBack), with: answer)
        try await server.core.scan()
        let item = try #require(try await server.core.item(known.localID))
        #expect(item.newerVersion == nil)
        #expect(try await server.core.issues().isEmpty)
        if answer == .keepLocal {
            #expect(item.cloudStatus == .locallyModified)
            #expect(item.size == 8)
            // What is sent replaces just what the server has now.
            let base = try await server.core.vault.database.read { try $0.copyVersion(of: known.localID) }
            #expect(try await base?.etag == server.provider.attributesOfItem(path: "/notes.txt").etag)
        } else {
            #expect(item.cloudStatus == .cloudOnly)
            #expect(item.size == 3)
            #expect(try server.recovered() == ["notes.txt": "precious"])
        }
    }

    @Test func `what somebody has saved anew is asked about when everything here is to be kept`() async throws {
        let server = try await filled(Server())
        try await server.write("/letter", "mine")
        try await server.scanned()
        _ = try await server.accept(.download(server.id("/letter")))
        try await server.core.settle()
        // As editors do it: a new file takes the old one's place.
        try await server.provider.removeItem(path: "/letter")
        try await server.write("/letter", "theirs")
        try await server.writeBack("/notes.txt", "old")
        try await server.core.scan()
        #expect(try await server.core.issues().map(\.id.kind) == [.serverWentBack])
        try await server.core.resolve(CloudCore.Issue.ID(.serverWentBack), with: .keepLocal)
        try await server.sync()
        #expect(try await server.text("/notes.txt") == "precious")
        #expect(try await server.text("/letter") == "theirs")
        #expect(try await server.core.issues().map(\.id.kind) == [.conflict])
    }

    @Test func `a file that another client wrote later settles it too`() async throws {
        let server = try await filled(Server())
        try await server.writeBack("/notes.txt", "old")
        try await server.core.scan()
        try await server.write("/notes.txt", "newest")
        try await server.core.scan()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.core.item(at: "/notes.txt")?.size == 6)
    }

    @Test(arguments: [CloudCore.Issue.Answer.keepLocal, .takeServer])
    func `the same names on a server that was restored are not taken for the old items`(
        answer: CloudCore.Issue.Answer
    ) async throws {
        let server = try await filled(Server())
        let before = try await server.core.vault.database.read { try $0.items(since: .beginning) } ?? []
        let anew = MemoryFileProvider(store: MemoryStore(clock: { FileTime(seconds: 1_500_000_000) }))
        // Identifiers that are given again would be those of other items.
        for number in 0..<40 { try await anew.createDirectory(path: ItemPath(validating: "/\(number)")) }
        for number in 0..<40 { try await anew.removeItem(path: ItemPath(validating: "/\(number)")) }
        try await anew.createDirectory(path: "/photos")
        for path in ["/notes.txt", "/photos/1.jpg", "/photos/new.jpg"] as [ItemPath] {
            try await anew.writeContents(path: path, contents: Data("another".utf8))
        }
        server.connection.connect(to: ProviderAdapter(anew))
        let core = server.core
        try await core.scan()
        #expect(try await core.issues().map(\.id.kind) == [.serverWentBack])
        for item in before { #expect(try await core.item(item.localID)?.isRemoved == false) }

        try await core.resolve(CloudCore.Issue.ID(.serverWentBack), with: answer)
        while try await !core.scan().isComplete {}
        #expect(try await core.issues().isEmpty)
        #expect(try await server.known() == ["/notes.txt", "/photos", "/photos/1.jpg", "/photos/new.jpg"])
        let notes = try #require(try await core.item(at: "/notes.txt"))
        let isOld = before.contains { $0.localID == notes.localID }
        #expect(isOld == (answer == .keepLocal))
        #expect(notes.cloudStatus == (answer == .keepLocal ? .locallyModified : .cloudOnly))
        if answer == .takeServer { #expect(try server.recovered() == ["notes.txt": "precious"]) }
    }

    /// Twelve photos that only the server has, and a note with a copy here.
    private func filled(_ server: Server) async throws -> Server {
        try await server.folder("/photos")
        for number in 1...12 { try await server.write(ItemPath(validating: "/photos/\(number).jpg")) }
        try await server.write("/notes.txt", "precious")
        try await server.scanned()
        _ = try await server.accept(.download(server.id("/notes.txt")))
        try await server.core.settle()
        return server
    }
}

extension Server {
    fileprivate func empty() async throws {
        for file in try await provider.listing(path: .root).collect() { try await provider.removeItem(path: file.path) }
    }

    /// Writes a file as a restored backup would: with a time long ago.
    fileprivate func writeBack(_ path: ItemPath, _ text: String) async throws {
        var options = OperationOptions(overwrite: true)
        options.attributes.modificationTime = FileTime(seconds: 1_000_000_000)
        try await provider.write(path: path, from: ByteStream(Data(text.utf8)), options: options)
    }

    fileprivate func copyText() async throws -> String? {
        try await core.item(at: "/notes.txt") == nil ? nil : copied("/notes.txt")
    }

    /// The files in the vault's recovery folder, by name.
    fileprivate func recovered() throws -> [String: String] {
        let recovery = core.vault.folder.appending("recovery")
        var texts: [String: String] = [:]
        for folder in try recovery.entryNames() {
            let folder = recovery.appending(folder.bytes)
            for name in try folder.entryNames() {
                texts[name.text] = try scratch.read(folder.appending(name.bytes))
            }
        }
        return texts
    }
}
