import CloudCore
import FileProviders
import Foundation
import Testing

/// The situations in which synchronising goes wrong, each over every storage that runs.
@Suite struct SyncScenarioTests {
    private static let away = URLError(.cannotConnectToHost)
    private static let cut = URLError(.networkConnectionLost)

    @Test("1: a file is edited twice offline and once on the server", arguments: SyncSubject.running)
    func editsOnBothSides(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/notes.txt", "old")
            try await trial.sync()
            trial.connection.fail(with: Self.away)
            try await trial.edit("/notes.txt", "mine, the first time")
            try await trial.edit("/notes.txt", "mine")
            try await trial.core.settle()
            #expect(trial.core.connectionStatus == .offline)
            trial.connection.fail(with: nil)
            try await trial.write("/notes.txt", "theirs!")
            try await trial.sync()
            #expect(try await trial.text("/notes.txt") == "theirs!")
            try await trial.resolve(.conflict, .keepBoth)
            try await trial.expectConverged()
            #expect(try await trial.text("/notes.txt") == "theirs!")
            #expect(try await trial.places(of: "mine").count == 1)
            #expect(try await trial.walked().count == 2)
        }
    }

    @Test("1: a file that is sent in parts is edited on both sides", arguments: SyncSubject.running)
    func largeEditsOnBothSides(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try await largeConflict(over: provider)
            #expect(try await trial.text("/notes.txt") == "theirs!")
            try await trial.resolve(.conflict, .keepBoth)
            try await trial.expectConverged()
            #expect(try await trial.text("/notes.txt") == "theirs!")
            #expect(try await trial.walked().count == 2)
        }
    }

    @Test("1: a file that is sent in parts is edited again while its conflict waits", arguments: SyncSubject.running)
    func largeEditAfterConflict(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try await largeConflict(over: provider)
            let last = String(repeating: "last", count: 3 << 20)
            try await trial.edit("/notes.txt", last)
            try await trial.resolve(.conflict, .replace)
            try await trial.expectConverged()
            #expect(try await trial.provider.contents(path: "/notes.txt") == Data(last.utf8))
            #expect(try await trial.walked() == ["/notes.txt"])
        }
    }

    /// `/notes.txt` after an edit here that is sent in parts, and another one on the server.
    private func largeConflict(over provider: any FileProvider) async throws -> SyncTrial {
        let trial = try SyncTrial(provider)
        try await trial.write("/notes.txt", "old")
        try await trial.sync()
        try await trial.edit("/notes.txt", String(repeating: "mine", count: 3 << 20))
        try await trial.write("/notes.txt", "theirs!")
        try await trial.sync()
        return trial
    }

    @Test(
        "3: a directory is moved here and then there while a file in it is on its way", arguments: SyncSubject.running)
    func parentMoves(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await provider.createDirectory(path: "/p/deep", createsParents: true)
            try await trial.write("/p/deep/file", "old")
            try await trial.sync()
            try await trial.edit("/p/deep/file", "mine")
            trial.connection.meet(
                .after {
                    try await trial.move("/p", to: "/here")
                    try await provider.moveItem(path: "/p", to: "/there")
                })
            try await trial.expectConverged()
            #expect(try await trial.places(of: "mine") == ["/here/deep/file"])
            #expect(try trial.recovered() == [])
        }
    }

    @Test("4: offline, a directory is made, filled, renamed, emptied and removed", arguments: SyncSubject.running)
    func offlineTree(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.sync()
            trial.connection.fail(with: Self.away)
            try await trial.make("/a")
            try await trial.put("kept", at: "/a/file")
            try await trial.put("inside", at: "/a/other")
            try await trial.core.settle()
            try await trial.move("/a", to: "/b")
            try await trial.move("/b/file", to: "/kept")
            try await trial.delete("/b")
            try await trial.make("/a")
            trial.connection.fail(with: nil)
            try await trial.expectConverged()
            #expect(try await trial.walked() == ["/a", "/kept"])
            #expect(try await trial.text("/kept") == "kept")
        }
    }

    @Test("4: the same with a directory that cannot be made", arguments: SyncSubject.running)
    func refusedFolder(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.sync()
            try await trial.make("/a")
            try await trial.put("inside", at: "/a/file")
            try await trial.put("moved out", at: "/a/moved")
            try await trial.move("/a/moved", to: "/moved")
            trial.connection.meet(.lost(CocoaError(.fileWriteNoPermission)), .lost(CocoaError(.fileWriteNoPermission)))
            try await trial.core.settle()
            // Two commands may begin at once: the directory, and the file that has left it.
            while let issue = try await trial.core.issues().first {
                let isFolder = try await trial.core.item(#require(issue.id.item))?.isDirectory == true
                try await trial.core.resolve(issue.id, with: isFolder ? .cancel : .retry)
                try await trial.core.settle()
            }
            try await trial.expectConverged()
            #expect(try await trial.walked() == ["/moved"])
            #expect(try trial.recovered() == ["inside"])
        }
    }

    @Test("5: the same name is given on both sides, to files and to directories", arguments: SyncSubject.running)
    func sameNames(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/renamed", "renamed")
            try await trial.sync()
            try await trial.put("my file", at: "/file")
            try await trial.put("my other", at: "/directory there")
            try await trial.make("/file there")
            try await trial.put("inside", at: "/file there/inside")
            try await trial.make("/both")
            try await trial.move("/renamed", to: "/taken")
            try await trial.write("/file", "their file")
            try await provider.createDirectory(path: "/directory there")
            try await trial.write("/file there", "a file")
            try await provider.createDirectory(path: "/both")
            try await trial.write("/taken", "taken")
            try await trial.sync()
            let issues = try await trial.core.issues()
            #expect(issues.count == 4)
            for issue in issues { try await trial.core.resolve(issue.id, with: .keepBoth) }
            try await trial.expectConverged()
            for text in ["my file", "my other", "inside", "renamed", "their file", "a file", "taken"] {
                #expect(try await trial.places(of: text).count == 1, "\(text)")
            }
            #expect(try await trial.walked().count == 10)
            #expect(try trial.recovered() == [])
        }
    }

    @Test("5: a name changes only in case", arguments: SyncSubject.running)
    func onlyCase(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/readme", "text")
            try await trial.sync()
            try await trial.move("/readme", to: "/README")
            try await trial.put("mine", at: "/readme")
            try await trial.expectConverged()
            #expect(try await trial.walked() == ["/README", "/readme"])
            #expect(try await trial.text("/readme") == "mine")
        }
    }

    @Test("6: a file is removed and made again on the server while it is edited here", arguments: SyncSubject.running)
    func madeAgain(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/file", "old")
            try await trial.sync()
            _ = try await trial.core.submit(.download(trial.id("/file")))
            try await trial.core.settle()
            try await trial.edit("/file", "mine")
            try await provider.removeItem(path: "/file")
            try await trial.write("/file", "another one")
            try await trial.sync()
            try await trial.resolve(.conflict, .cancel)
            try await trial.expectConverged()
            #expect(try await trial.text("/file") == "another one")
            #expect(try trial.recovered() == ["mine"])
        }
    }

    @Test("6: a file is removed on the server while it is edited here", arguments: SyncSubject.running)
    func removedThere(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await provider.createDirectory(path: "/a")
            try await trial.write("/a/file", "old")
            try await trial.sync()
            try await trial.edit("/a/file", "mine")
            try await provider.removeItem(path: "/a")
            try await trial.expectConverged()
            #expect(try await trial.text("/a/file") == "mine")
        }
    }

    @Test("7: everything succeeds, and no reply comes", arguments: SyncSubject.running)
    func lostReplies(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            for name in ["edited", "moved", "removed", "copied"] {
                try await trial.write(ItemPath(validating: "/\(name)"), name)
            }
            try await trial.sync()
            try await trial.put("new", at: "/new")
            try await trial.edit("/edited", "edited here")
            try await trial.move("/moved", to: "/elsewhere")
            try await trial.delete("/removed")
            _ = try await trial.core.submit(.copy(trial.id("/copied"), to: .root, as: ItemName(validating: "copy")))
            try await trial.make("/folder")
            for _ in 0..<6 {
                trial.connection.meet(.unanswered(Self.cut))
                await trial.core.reconnect()
                try await trial.core.settle()
            }
            let version = try await provider.attributesOfItem(path: "/edited").version
            try await trial.expectConverged()
            #expect(try await trial.walked() == ["/copied", "/copy", "/edited", "/elsewhere", "/folder", "/new"])
            // Not sent a second time. mod_dav strengthens the tag of a fresh file, so time and size have to tell.
            let after = try await provider.attributesOfItem(path: "/edited").version
            #expect(after.modificationTime == version.modificationTime)
            #expect(try trial.recovered() == [])
        }
    }
}
