import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite(.serialized) struct ConflictTests {
    private let server: Server

    init() throws { server = try Server() }

    /// A file edited twice here and once on the server while both were apart (scenario 1).
    private func editBothSides() async throws {
        try await server.write("/notes.txt", "old")
        try await server.sync()
        try await server.edit("/notes.txt", "mine, first")
        try await server.edit("/notes.txt", "mine")
        try await server.write("/notes.txt", "theirs")
        #expect(try await server.core.syncRecords().count == 1)
        try await server.core.settle()
        #expect(try await server.text("/notes.txt") == "theirs")
    }

    @Test func `both versions are kept, ours under a name with the date in it`() async throws {
        try await editBothSides()
        try await server.answer(.conflict, .keepBoth)
        try await server.expectConverged()
        let names = try await server.walked()
        #expect(names.count == 2)
        #expect(try await server.text("/notes.txt") == "theirs")
        let ours = try #require(names.first { $0 != "/notes.txt" })
        #expect(ours.wholeMatch(of: /\/notes \(\d{4}-\d\d-\d\d \d{6}\)\.txt/) != nil)
        #expect(try await server.text(ItemPath(validating: ours)) == "mine")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `ours takes the place of theirs when that is the answer, unless theirs changes again`() async throws {
        try await editBothSides()
        try await server.answer(.conflict, .replace)
        try await server.write("/notes.txt", "theirs again")
        try await server.core.settle()
        #expect(try await server.text("/notes.txt") == "theirs again")
        try await server.answer(.conflict, .replace)
        try await server.expectConverged()
        #expect(try await server.text("/notes.txt") == "mine")
    }

    @Test func `what takes the place of a later version is no earlier one for others`() async throws {
        let time = Locked(FileTime(seconds: 1_000_000))
        let clients = try (0..<2).map { _ in
            try Server(provider: server.provider, clock: { time.withLock { $0 } })
        }
        try await server.write("/notes.txt", "old")
        for client in clients { try await client.sync() }
        try await clients[0].edit("/notes.txt", "first")
        time.withLock { $0 = $0.later(bySeconds: 60) }
        try await clients[1].edit("/notes.txt", "second")
        try await clients[1].sync()
        time.withLock { $0 = $0.later(bySeconds: 60) }
        try await clients[0].sync()
        try await clients[0].answer(.conflict, .replace)
        for client in clients { try await client.expectConverged() }
        #expect(try await server.text("/notes.txt") == "first")
        #expect(try await clients[1].core.issues().isEmpty)
    }

    @Test func `what nobody has seen is not replaced`() async throws {
        try await editBothSides()
        try await server.core.scan()
        try await server.write("/notes.txt", "unseen")
        await #expect { try await server.answer(.conflict, .replace) } throws: { $0.isItemChanged }
        try await server.core.settle()
        #expect(try await server.text("/notes.txt") == "unseen")
        #expect(try await server.core.item(at: "/notes.txt")?.newerVersion?.size == 6)
        try await server.answer(.conflict, .replace)
        try await server.expectConverged()
        #expect(try await server.text("/notes.txt") == "mine")
    }

    @Test func `theirs stays when the edit is cancelled, and ours is in the recovery folder`() async throws {
        try await editBothSides()
        try await server.answer(.conflict, .cancel)
        try await server.expectConverged()
        #expect(try await server.text("/notes.txt") == "theirs")
        #expect(try server.recovered() == ["mine"])
        #expect(try await server.core.item(at: "/notes.txt")?.cloudStatus == .cloudOnly)
    }

    @Test func `the same bytes on both sides are no conflict`() async throws {
        try await server.write("/notes.txt", "old")
        try await server.sync()
        try await server.edit("/notes.txt", "same")
        try await server.put("new", as: "both")
        try await server.write("/notes.txt", "same")
        try await server.write("/both", "new")
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `an edit of a file that the server no longer has is sent as a new one`() async throws {
        try await server.folder("/a")
        try await server.write("/a/notes", "old")
        try await server.sync()
        try await server.edit("/a/notes", "mine")
        try await server.provider.removeItem(path: "/a")
        try await server.expectConverged()
        #expect(try await server.text("/a/notes") == "mine")
    }

    @Test func `an edit whose reply was lost is sent as a new file if the server no longer has the file`() async throws
    {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "mine")
        server.connection.meet(.lost(URLError(.networkConnectionLost)))
        try await server.core.settle()
        try await server.provider.removeItem(path: "/file")
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.text("/file") == "mine")
    }

    @Test func `an edit of a file that is gone on both sides by now needs no answer`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "edited")
        server.connection.meet(.lost(URLError(.networkConnectionLost)))
        try await server.core.settle()
        try await server.delete("/file")
        try await server.provider.removeItem(path: "/file")
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.walked() == [])
    }

    @Test(arguments: [false, true])
    func `what is new in a directory that the server has lost is sent, and the directory with it`(
        isKnown: Bool
    ) async throws {
        try await server.folder("/a")
        try await server.write("/moved", "moved")
        try await server.write("/original", "copied")
        try await server.sync()
        try await server.make("b", in: "/a")
        try await server.put("new", as: "new", in: "/a/b")
        try await server.move("/moved", to: "/a/moved")
        try await server.copy("/original", to: "/a/copy")
        try await server.provider.removeItem(path: "/a")
        if isKnown { try await server.core.scan() }
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(
            try await server.walked() == ["/a", "/a/b", "/a/b/new", "/a/copy", "/a/moved", "/original"])
    }

    @Test func `an edit of a file that was removed and made again is a conflict, whoever holds the old one`()
        async throws
    {
        try await server.write("/notes", "old")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/notes")))
        try await server.core.settle()
        try await server.edit("/notes", "mine")
        try await server.provider.removeItem(path: "/notes")
        try await server.write("/notes", "another file")
        try await server.core.settle()
        #expect(try await server.text("/notes") == "another file")
        try await server.answer(.conflict, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.walked().count == 2)
    }

    @Test func `the same new name on both sides keeps both, without an extension too`() async throws {
        try await server.put("mine", as: "README")
        try await server.write("/README", "theirs")
        try await server.core.settle()
        try await server.answer(.conflict, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.text("/README") == "theirs")
        let ours = try #require(try await server.walked().first { $0 != "/README" })
        #expect(ours.wholeMatch(of: /\/README \(.*\)/) != nil)
    }

    @Test func `a directory made on both sides is one directory`() async throws {
        try await server.make("a")
        try await server.put("mine", as: "mine", in: "/a")
        try await server.folder("/a")
        try await server.write("/a/theirs", "theirs")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/a/mine", "/a/theirs"])
    }

    @Test func `what was moved on while its first name was taken ends where it was moved to`() async throws {
        try await server.make("name")
        try await server.put("inside", as: "file", in: "/name")
        try await server.write("/name", "theirs")
        // The connection is at it when the command to move comes.
        let (core, number) = (server.core, try #require(try await server.core.syncRecords().first).number)
        _ = try await core.vault.database.write { try $0.schedule(number, SyncEffects(vault: core.vault)) }
        try await server.move("/name", to: "/final")
        try await core.vault.database.write { writer in
            var record = try #require(try writer.reader.record(numbered: number))
            record.phase = .ready
            try writer.update(record)
        }
        try await server.core.settle()
        while let issue = try await server.core.issues().first {
            try await server.core.resolve(issue.id, with: .keepBoth)
            try await server.core.settle()
        }
        try await server.expectConverged()
        #expect(try await server.walked() == ["/final", "/final/file", "/name"])
    }

    @Test(arguments: [false, true])
    func `what was edited and moved on ends where it was moved to when the first name was taken`(
        isRunning: Bool
    ) async throws {
        try await server.write("/a", "old")
        try await server.sync()
        server.connection.fail(with: URLError(.notConnectedToInternet))
        try await server.move("/a", to: "/b")
        try await server.edit("/b", "edited")
        try await server.move("/b", to: "/c")
        server.connection.fail(with: nil)
        try await server.write("/b", "theirs")
        let running = isRunning ? Task { try await server.core.engine.run() } : nil
        defer { running?.cancel() }
        try await server.core.settle()
        try await server.answer(.nameTaken, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/b", "/c"])
        #expect(try await server.text("/c") == "edited")
    }

    @Test func `a directory here and a file there are both kept`() async throws {
        try await server.make("name")
        try await server.put("inside", as: "file", in: "/name")
        try await server.write("/name", "theirs")
        try await server.core.settle()
        try await server.answer(.nameTaken, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.text("/name") == "theirs")
        #expect(try await server.walked().contains { $0.hasSuffix(")/file") })
    }

    @Test func `a directory that has become one with the server's stays when it is given up`() async throws {
        try await server.make("taken")
        try await server.write("/taken", "theirs")
        try await server.move("/taken", to: "/both")
        try await server.folder("/both")
        try await server.write("/both/file", "theirs")
        try await server.sync()
        try await server.answer(.nameTaken, .cancel)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/both", "/both/file", "/taken"])
    }

    @Test func `what is in a directory that takes an edited file's place is found`() async throws {
        try await server.write("/x", "old")
        try await server.sync()
        try await server.edit("/x", "mine")
        try await server.provider.removeItem(path: "/x")
        try await server.folder("/x")
        try await server.write("/x/file", "theirs")
        try await server.sync()
        try await server.answer(.nameTaken, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.known().contains("/x/file"))
    }

    @Test func `what is in a copy is found, also where it was a file that was to be copied`() async throws {
        let server = try Server(hasFileIDs: false)
        try await server.write("/x", "old")
        try await server.sync()
        try await server.copy("/x", to: "/y")
        try await server.provider.removeItem(path: "/x")
        try await server.folder("/x")
        try await server.write("/x/file", "theirs")
        try await server.expectConverged()
    }

    @Test func `what the server has by the name of something that is gone there is found`() async throws {
        let server = try Server(hasFileIDs: false)
        try await server.folder("/a")
        try await server.sync()
        try await server.move("/a", to: "/b")
        try await server.write("/b", "theirs")
        try await server.core.settle()
        try await server.provider.removeItem(path: "/a")
        try await server.scanned()
        try await server.answer(.nameTaken, .cancel)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/b"])
    }

    @Test func `a file in the place of a directory leaves what is only here beside it`() async throws {
        try await server.folder("/folder")
        try await server.write("/folder/plain")
        try await server.sync()
        try await server.put("mine", as: "new", in: "/folder")
        try await server.provider.removeItem(path: "/folder")
        try await server.write("/folder", "theirs")
        try await server.scanned()
        try await server.expectConverged()
        #expect(try await server.text("/folder") == "theirs")
        let walked = try await server.walked()
        #expect(walked.count == 3)
        #expect(walked.last?.hasSuffix(")/new") == true)
    }

    @Test func `a file here and a directory there are both kept`() async throws {
        try await server.put("mine", as: "name.txt")
        try await server.folder("/name.txt/theirs")
        try await server.core.settle()
        try await server.answer(.nameTaken, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.walked().count == 3)
    }

    @Test(arguments: [false, true])
    func `a file that somebody has removed while it was renamed is given up, whatever has its name`(
        isTheirs: Bool
    ) async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.accept(.download(server.id("/a")))
        try await server.core.settle()
        try await server.move("/a", to: "/b")
        if !isTheirs { try await server.put("mine", as: "a") }
        try await server.provider.removeItem(path: "/a")
        if isTheirs { try await server.write("/a", "theirs") }
        try await server.core.settle()
        _ = server.connection.requests()
        try await server.sync()
        #expect(server.connection.requests().filter { $0.hasPrefix("move") }.isEmpty)
        // All that was known is gone.
        try await server.answer(.itemsVanished, .takeServer)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a"])
        #expect(try await server.text("/a") == (isTheirs ? "theirs" : "mine"))
        #expect(try server.recovered() == ["old"])
    }

    @Test func `a directory that is there by now is not replaced by contents`() async throws {
        try await server.put("mine", as: "f")
        try await server.write("/f", "theirs")
        try await server.core.settle()
        try await server.provider.removeItem(path: "/f")
        try await server.folder("/f")
        try await server.write("/f/x")
        try await server.answer(.conflict, .replace)
        try await server.core.settle()
        try await server.answer(.nameTaken, .cancel)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/f", "/f/x"])
        #expect(try server.recovered() == ["mine"])
    }

    @Test func `a question stays when a later command about the item is called off`() async throws {
        try await server.write("/a", "a")
        try await server.sync()
        try await server.move("/a", to: "/b")
        try await server.write("/b", "theirs")
        try await server.core.settle()
        try await server.move("/b", to: "/c")
        let later = try #require(try await server.core.syncRecords().last)
        try await server.core.cancel(later.id)
        try await server.answer(.nameTaken, .keepBoth)
        try await server.expectConverged()
        #expect(try await server.text("/b") == "theirs")
        #expect(try await server.walked().count == 2)
    }

    @Test func `a rename to a name that the server has given away keeps both, or is taken back`() async throws {
        for answer in [CloudCore.Issue.Answer.keepBoth, .cancel] {
            let server = try Server()
            try await server.write("/a", "a")
            try await server.sync()
            try await server.move("/a", to: "/b")
            try await server.write("/b", "theirs")
            try await server.core.settle()
            try await server.answer(.nameTaken, answer)
            try await server.expectConverged()
            #expect(try await server.text("/b") == "theirs")
            #expect(try await server.walked().count == 2)
            if answer == .cancel { #expect(try await server.text("/a") == "a") }
        }
    }

    @Test(arguments: [false, true])
    func `a new file that is moved or removed while its name is asked about is not held up by that`(
        isRemoved: Bool
    ) async throws {
        try await server.put("mine", as: "x")
        try await server.write("/x", "theirs")
        let running = Task { try await server.core.engine.run() }
        defer { running.cancel() }
        try await server.core.settle()
        #expect(try await !server.core.issues().isEmpty)
        if isRemoved { try await server.delete("/x") } else { try await server.move("/x", to: "/y") }
        try await server.core.settle()
        #expect(try await server.core.syncRecords().isEmpty)
        try await server.expectConverged()
        #expect(try await server.walked() == (isRemoved ? ["/x"] : ["/x", "/y"]))
    }

    @Test func `a rename that only changes the case is one`() async throws {
        try await server.write("/readme", "x")
        try await server.sync()
        try await server.move("/readme", to: "/README")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/README"])
    }

    @Test func `a removal does not remove what was changed meanwhile, without an answer`() async throws {
        for answer in [CloudCore.Issue.Answer.replace, .cancel] {
            let server = try Server()
            try await server.write("/file", "old")
            try await server.sync()
            try await server.delete("/file")
            try await server.write("/file", "changed")
            try await server.core.settle()
            #expect(try await server.text("/file") == "changed")
            try await server.answer(.changedBeforeDeletion, answer)
            try await server.expectConverged()
            #expect(try await server.walked() == (answer == .cancel ? ["/file"] : []))
        }
    }

    @Test func `an edit of a file that was to be removed afterwards is there again when the file stays`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        server.connection.fail(with: URLError(.notConnectedToInternet))
        try await server.edit("/file", "edited")
        try await server.delete("/file")
        server.connection.fail(with: nil)
        try await server.write("/file", "changed")
        try await server.core.settle()
        try await server.answer(.changedBeforeDeletion, .cancel)
        #expect(try await server.copied("/file") == "edited")
        try await server.core.settle()
        try await server.answer(.conflict, .keepBoth)
        try await server.expectConverged()
        let paths = try await server.walked().map { try ItemPath(validating: $0) }
        var texts: Set<String> = []
        for path in paths { texts.insert(try await server.text(path)) }
        #expect(texts == ["changed", "edited"])
    }

    @Test func `an edit of a file that was to be removed afterwards goes with it when a person insists`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        server.connection.fail(with: URLError(.notConnectedToInternet))
        try await server.edit("/file", "edited")
        try await server.delete("/file")
        server.connection.fail(with: nil)
        try await server.write("/file", "changed")
        try await server.core.settle()
        try await server.answer(.changedBeforeDeletion, .replace)
        try await server.expectConverged()
        #expect(try await server.walked() == [])
    }

    @Test func `an edit whose sending was interrupted is sent once when its removal is called off`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "edited")
        server.connection.meet(.unanswered(URLError(.networkConnectionLost)))
        try await server.core.settle()
        let removal = try await server.accept(.delete(server.id("/file")))
        removal.progress.cancel()
        while try await server.core.syncRecords().contains(where: { $0.kind == .delete }) { await Task.yield() }
        #expect(try await server.core.syncRecords().map(\.kind) == [.upload])
        try await server.edit("/file", "once more")
        try await server.expectConverged()
        #expect(try await server.text("/file") == "once more")
    }

    @Test func `a new file that was edited and removed while it was sent is removed in the version that was sent`()
        async throws
    {
        try await server.put("first", as: "file")
        let (core, upload) = (server.core, try #require(try await server.core.syncRecords().first))
        _ = try await core.vault.database.write { try $0.schedule(upload.number, SyncEffects(vault: core.vault)) }
        try await server.edit("/file", "the second")
        try await server.delete("/file")
        // As by a server without tags: the size tells.
        var sent = ServerVersion(type: .regular)
        sent.size = 5
        try await core.receive(
            Event(id: upload.id, attempt: 1, outcome: .done(Event.Result(item: sent, contents: sent.contents))))
        let removal = try #require(try await core.syncRecords().first)
        let effects = try await core.vault.database.write {
            try $0.schedule(removal.number, SyncEffects(vault: core.vault))
        }
        guard case .delete(let known) = effects.begun?.operation else {
            Testing.Issue.record("nothing to remove")
            return
        }
        #expect(known.version?.size == 5)
    }

    @Test func `what was edited in a directory that stays is sent after all`() async throws {
        try await server.folder("/a")
        try await server.write("/a/file", "old")
        try await server.sync()
        server.connection.fail(with: URLError(.notConnectedToInternet))
        try await server.edit("/a/file", "edited")
        try await server.delete("/a")
        server.connection.fail(with: nil)
        server.connection.meet(.lost(CocoaError(.fileWriteNoPermission)))
        try await server.expectConverged()
        let again = try await server.reopened()
        try await again.expectConverged()
        #expect(try await again.core.item(at: "/a/file")?.cloudStatus == .localCopy)
        #expect(try await again.text("/a/file") == "edited")
    }

    @Test func `a directory that cannot be made leaves what was to go into it in the recovery folder`() async throws {
        try await server.make("a")
        try await server.put("1", as: "one", in: "/a")
        try await server.put("2", as: "two", in: "/a")
        server.connection.meet(.lost(CocoaError(.fileWriteNoPermission)))
        try await server.core.settle()
        try await server.answer(.commandFailed, .cancel)
        #expect(try server.recovered() == ["1", "2"])
        try await server.expectConverged()
        #expect(try await server.known() == [])
    }

    @Test(arguments: [false, true])
    func `a directory that cannot be made gives back what was to be moved into it`(isOriginRemoved: Bool) async throws {
        try await server.folder("/from/below")
        try await server.write("/from/below/file", "contents")
        try await server.sync()
        try await server.make("to")
        try await server.move("/from/below/file", to: "/to/file")
        if isOriginRemoved { try await server.delete("/from") }
        server.connection.meet(.lost(CocoaError(.fileWriteNoPermission)))
        try await server.expectConverged()
        #expect(try await server.text("/from/below/file") == "contents")
        #expect(try await server.core.item(at: "/from/below/file") != nil)
    }

    @Test(arguments: [false, true])
    func `a directory that cannot leave another gets that one back out of it`(isRemoved: Bool) async throws {
        try await server.folder("/a/b/c")
        try await server.sync()
        try await server.move("/a/b", to: "/b")
        try await server.move("/a", to: "/b/c/a")
        if isRemoved { try await server.delete("/b") }
        server.connection.meet(.lost(CocoaError(.fileWriteNoPermission)))
        try await server.expectConverged()
        #expect(try await server.walked() == (isRemoved ? ["/a"] : ["/a", "/a/b", "/a/b/c"]))
    }

    @Test(arguments: [(false, false), (true, false), (true, true), (false, true)])
    func `what was moved out of a directory is lost with it, also when that was to follow`(
        hasFileIDs: Bool, holdsNew: Bool
    ) async throws {
        let server = try Server(hasFileIDs: hasFileIDs)
        try await server.folder("/y/x")
        try await server.folder("/z")
        try await server.sync()
        if holdsNew { try await server.put("new", as: "file", in: "/y") }
        try await server.move("/y/x", to: "/x")
        try await server.move("/y", to: "/x/y")
        try await server.provider.removeItem(path: "/y")
        try await server.core.settle()
        let again = try await server.reopened()
        try await again.expectConverged()
        #expect(try await again.known() == (holdsNew ? ["/x", "/x/y", "/x/y/file", "/z"] : ["/z"]))
    }

    @Test func `what the server refuses can be tried again, as another attempt`() async throws {
        try await server.put("x", as: "file")
        server.connection.meet(.lost(CocoaError(.fileWriteOutOfSpace)), .lost(CocoaError(.fileWriteOutOfSpace)))
        for attempt in 1...2 {
            try await server.core.settle()
            let record = try #require(try await server.core.syncRecords().first)
            #expect(record.waits == [.answer])
            #expect(record.attempts == attempt)
            try await server.answer(.commandFailed, .retry)
        }
        try await server.expectConverged()
        #expect(try await server.text("/file") == "x")
    }

    @Test func `a new file that is moved after it was tried in vain does not begin its attempts' numbers again`()
        async throws
    {
        try await server.put("x", as: "file")
        server.connection.meet(.lost(CocoaError(.fileWriteOutOfSpace)))
        try await server.core.settle()
        try await server.move("/file", to: "/other")
        let records = try await server.core.syncRecords()
        #expect(records.map(\.kind) == [.upload])
        #expect(records.map(\.attempts) == [1])
        try await server.expectConverged()
        #expect(try await server.text("/other") == "x")
    }

    @Test func `attributes for somebody else's contents are taken back although those have them already`() async throws
    {
        try await server.write("/file", "old")
        try await server.sync()
        let file = try await server.id("/file")
        _ = try await server.accept(.download(file))
        try await server.core.settle()
        let time = FileTime(Date()).later(bySeconds: 100)
        _ = try await server.accept(.update(file, ItemAttributes(modificationTime: time)))
        var options = OperationOptions(overwrite: true)
        options.attributes.modificationTime = time
        try await server.provider.write(path: "/file", from: ByteStream(Data("theirs".utf8)), options: options)
        try await server.expectConverged()
        _ = try await server.accept(.download(file))
        try await server.core.settle()
        #expect(try await server.copied("/file") == "theirs")
    }

    @Test func `a file that never stops changing is not fetched for ever`() async throws {
        let time = Locked(FileTime(seconds: 1_000_000))
        let server = try Server(clock: { time.withLock { $0 } })
        try await server.write("/log", "text")
        try await server.sync()
        server.connection.meet { operation in
            if case .download = operation { .lost(FileError.changed("/log")) } else { .none }
        }
        _ = try await server.accept(.download(server.id("/log")))
        _ = server.connection.requests()
        for _ in 0..<30 {
            try await server.core.settle()
            time.withLock { $0 = $0.later(bySeconds: 600) }
        }
        #expect(server.connection.requests().count { $0.hasPrefix("download") } == 10)
        #expect(try await server.core.syncRecords().isEmpty)
    }
}
