import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite(.timeLimit(.minutes(5))) struct MonitorTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    /// The changes that `work` leads to, up to and without a file `end` that is made behind it.
    private func changes(
        in path: ItemPath = "/", recursive: Bool = true, _ work: () async throws -> Void
    ) async throws -> [FileChange] {
        let changes = try await provider.changes(path: path, recursive: recursive)
        try await work()
        usleep(50_000)
        let end = path.appending(try ItemName(validating: "end"))
        mkdir(scratch.at(String(end.description.dropFirst())), 0o700)
        var seen: [FileChange] = []
        for try await change in changes {
            if change == .created(end) { break }
            seen.append(change)
        }
        return seen
    }

    @Test func filesAndDirectories() async throws {
        try scratch.put("", at: "old")
        let seen = try await changes {
            try await provider.write(path: "new", from: ByteStream("x"))
            chmod(scratch.at("old"), 0o600)
            try await provider.moveItem(path: "old", to: "renamed")
            try await provider.removeItem(path: "new")
            try await provider.createDirectory(path: "folder")
        }
        let expected: [FileChange] = [
            .created("new"), .modified("old"), .moved(from: "old", to: "renamed"), .removed("new"), .created("folder"),
        ]
        #expect(seen == expected)
    }

    @Test func filesOnTheirWayDoNotShow() async throws {
        try scratch.put("old", at: "file")
        try scratch.makeDirectory("tree/inner")
        let options = OperationOptions(overwrite: true)
        let seen = try await changes {
            try await provider.write(path: "file", from: ByteStream("x"), options: options)
            try await provider.copyItem(path: "tree", to: "copy")
        }
        #expect(seen == [.modified("file"), .created("copy"), .created("copy/inner")])
    }

    @Test func newDirectoriesAreFollowedAndLookedThrough() async throws {
        let seen = try await changes {
            for number in 0..<100 {
                try scratch.makeDirectory("d\(number)/a/b")
                try scratch.put("x", at: "d\(number)/a/b/file")
            }
        }
        for number in 0..<100 {
            let folder = try ItemPath(validating: "d\(number)")
            for path in ["", "a", "a/b", "a/b/file"] {
                let path = path.isEmpty ? folder : folder.appending(try ItemPath(validating: path))
                #expect(seen.count { $0 == .created(path) } == 1, "\(path)")
            }
        }
    }

    @Test func directoriesKeepBeingFollowedWhenTheyMove() async throws {
        try scratch.makeDirectory("a/b")
        let seen = try await changes {
            try await provider.moveItem(path: "a", to: "c")
            try scratch.put("x", at: "c/b/file")
            try await provider.moveItem(path: "c/b", to: "b")
            try scratch.makeDirectory("b/new")
        }
        #expect(seen.contains(.moved(from: "a", to: "c")))
        #expect(seen.contains(.created("c/b/file")))
        #expect(seen.contains(.moved(from: "c/b", to: "b")))
        #expect(seen.contains(.created("b/new")))
    }

    @Test func inAndOut() async throws {
        try scratch.makeDirectory("leaving/inner")
        let outside = scratch.folder + "/outside/inner"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        let seen = try await changes {
            rename(scratch.at("leaving"), scratch.folder + "/gone")
            rename(scratch.folder + "/outside", scratch.at("arrived"))
            mkdir(scratch.folder + "/gone/inner/unseen", 0o700)
            mkdir(scratch.at("arrived/inner/seen"), 0o700)
        }
        let expected: [FileChange] = [
            .removed("leaving"), .created("arrived"), .created("arrived/inner"), .created("arrived/inner/seen"),
        ]
        #expect(seen == expected)
    }

    @Test func anItemThatLeavesAndAnotherInItsPlace() async throws {
        try scratch.put("1", at: "file")
        let seen = try await changes {
            rename(scratch.at("file"), scratch.folder + "/gone")
            try await provider.write(path: "file", from: ByteStream("2"))
        }
        #expect(seen == [.removed("file"), .created("file")])
    }

    @Test func aBurstLosesNothing() async throws {
        try scratch.makeDirectory("folder")
        let seen = try await changes {
            for number in 0..<1000 { close(creat(scratch.at("folder/\(number)"), 0o600)) }
            for number in 0..<1000 { unlink(scratch.at("folder/\(number)")) }
        }
        for number in 0..<1000 {
            let path = try ItemPath(validating: "folder/\(number)")
            #expect(seen.contains(.created(path)) && seen.contains(.removed(path)))
        }
    }

    @Test func onlyTheDirectoryItself() async throws {
        try scratch.makeDirectory("folder/inner")
        let seen = try await changes(in: "folder", recursive: false) {
            try scratch.put("x", at: "folder/inner/unseen")
            try scratch.put("x", at: "other")
            try scratch.makeDirectory("folder/seen/unseen")
        }
        #expect(seen.contains(.created("folder/seen")))
        #expect(!seen.contains { "\($0)".contains("unseen") })
    }

    @Test func theWatchedDirectoryGoes() async throws {
        try scratch.makeDirectory("folder")
        let changes = try await provider.changes(path: "folder", recursive: true)
        try await provider.removeItem(path: "folder")
        var seen: [FileChange] = []
        for try await change in changes { seen.append(change) }
        #expect(seen == [.removed("folder")])
    }

    /// The provider holds its root open, so that the kernel does not report it.
    @Test func theRootGoes() async throws {
        try scratch.makeDirectory("root")
        let provider = try LocalFileProvider(root: LocalPath(scratch.at("root")))
        let changes = try await provider.changes(path: .root, recursive: true)
        try scratch.put("", at: "root/file")
        unlink(scratch.at("root/file"))
        rmdir(scratch.at("root"))
        var seen: [FileChange] = []
        for try await change in changes { seen.append(change) }
        #expect(seen.first == .created("file"))
        #expect(seen.last == .removed(.root))
    }

    @Test func missingAndFile() async throws {
        try scratch.put("", at: "file")
        #expect(await failure { try await provider.changes(path: "none", recursive: true) }?.isNoSuchFile == true)
        #expect(await failure { try await provider.changes(path: "file", recursive: true) }?.isNotADirectory == true)
    }

    @Test func watchingEndsWithTheIteration() async throws {
        func openWatches() throws -> Int {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
                .count { $0.contains("inotify") }
        }
        // The threads end by themselves soon; the kernel allows 128 instances to a user, and other tests watch too.
        let most = 60
        func settle() async throws {
            for _ in 0..<500 {
                if try openWatches() <= most { return }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        for _ in 0..<200 {
            try await settle()
            let changes = try await provider.changes(path: "/", recursive: true)
            let task = Task { for try await _ in changes {} }
            task.cancel()
            _ = await task.result
        }
        _ = try await provider.changes(path: "/", recursive: true)
        try await settle()
        #expect(try openWatches() <= most)
    }
}
