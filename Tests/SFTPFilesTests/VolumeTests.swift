import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Two file systems behind one server: the served folder, and one of 16 MiB beside it.
@Suite(
    .enabled(if: TestServer("SSHD")?.smallFolder != nil, "needs a small file system, which takes root to mount"),
    .serialized)
struct VolumeTests {
    private let server: TestServer
    private let provider: SFTPFileProvider
    private let large: ItemPath
    private let small: ItemPath
    private let folders: [LocalPath]

    init() async throws {
        server = try #require(TestServer("SSHD"))
        let smallFolder = try #require(server.smallFolder)
        // Both are below the folder that holds what is served.
        var configuration = try server.configuration(.libssh2)
        configuration.root = try #require(configuration.root.parent)
        provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let name = ItemName(unchecked: Array("volume-\(UUID())".utf8))
        large = ItemPath.root["dav"].appending(name)
        small = ItemPath.root["small/files"].appending(name)
        folders = [server.folder.appending(name.bytes), smallFolder.appending(name.bytes)]
        for folder in [large, small] { try await provider.createDirectory(path: folder) }
    }

    private func clean() async {
        for folder in [large, small] { try? await provider.removeItem(path: folder) }
    }

    private func names(_ folder: LocalPath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.description).sorted()
    }

    @Test("a file moves to another file system with its bytes, time and permissions, also over an old one")
    func moveFile() async throws {
        for (from, to) in [(large, small), (small, large)] {
            var context = OperationContext()
            context.options.attributes = ItemAttributes(
                modificationTime: FileTime(seconds: 1_000_000_000), permissions: 0o640)
            _ = try await provider.write(path: from["a"], from: ByteStream(Data("new".utf8)), in: context)
            try await provider.writeContents(path: to["b"], contents: Data("old".utf8))
            await #expect(throws: CocoaError.self) {
                try await provider.moveItem(path: from["a"], to: to["b"])
            }
            #expect(try await provider.contents(path: to["b"]) == Data("old".utf8))
            let moved = try await provider.moveItem(path: from["a"], to: to["b"], overwrite: true)
            #expect(moved?.path == to["b"])
            let found = try await provider.attributesOfItem(path: to["b"])
            #expect(found.modificationTime == FileTime(seconds: 1_000_000_000))
            #expect(found.permissions == 0o640)
            #expect(try await provider.contents(path: to["b"]) == Data("new".utf8))
            try await provider.removeItem(path: to["b"])
        }
        #expect(try folders.map(names) == [[], []])
        await clean()
    }

    @Test("what a full disk has no room for stays where it is")
    func noRoomToMove() async throws {
        try await provider.writeContents(path: large["a"], contents: Data("new".utf8))
        try await provider.createDirectory(path: large["tree"])
        try await provider.writeContents(path: large["tree/b"], contents: Data("new".utf8))
        try await provider.writeContents(path: small["a"], contents: Data("old".utf8))
        let filler = URL(filePath: folders[1].description).appending(path: "filler")
        try Data().write(to: filler)
        let file = try FileHandle(forWritingTo: filler)
        for size in [1 << 20, 4096, 1] { while (try? file.write(contentsOf: Data(count: size))) != nil {} }
        for name in ["a", "tree"] as [ItemPath] {
            await #expect {
                try await provider.moveItem(path: large[name], to: small[name], overwrite: true)
            } throws: {
                $0.localizedDescription.contains("full")
            }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.copyItem(path: large["a"], to: small["a"], overwrite: true)
        }
        #expect(try await provider.contents(path: large["tree/b"]) == Data("new".utf8))
        #expect(try await provider.contents(path: large["a"]) == Data("new".utf8))
        #expect(try await provider.contents(path: small["a"]) == Data("old".utf8))
        #expect(try names(folders[1]) == ["a", "filler"])
        await clean()
    }

    @Test("a tree and a link move to another file system whole")
    func moveTree() async throws {
        try await provider.createDirectory(path: large["tree/inner"], createsParents: true)
        let file = large["tree/inner/f"]
        try await provider.writeContents(path: file, contents: Data("text".utf8))
        try await provider.create(
            symbolicLink: large["tree/l"], withDestinationPath: LinkTarget(bytes: Array("inner/f".utf8)))
        try await provider.moveItem(path: large["tree"], to: small["tree"])
        #expect(try folders.map(names) == [[], ["tree"]])
        let tree = small["tree"]
        #expect(try await provider.contents(path: tree["inner/f"]) == Data("text".utf8))
        #expect(try await provider.destination(ofSymbolicLink: tree["l"]).description == "inner/f")
        try await provider.moveItem(path: tree["l"], to: large["l"])
        #expect(try await provider.destination(ofSymbolicLink: large["l"]).description == "inner/f")
        #expect(try names(folders[1].appending("tree")) == ["inner"])
        await clean()
    }

    @Test("what comes into a tree while it moves to another file system stays where it came")
    func cameMeanwhile() async throws {
        try await provider.createDirectory(path: large["tree"])
        let tree = URL(filePath: folders[0].description).appending(path: "tree")
        for number in 0..<400 { try Data("text".utf8).write(to: tree.appending(path: "\(number)")) }
        let late = tree.appending(path: "late")
        let arrival = Task { [target = folders[1].description] in
            // Something is copied, so all has been listed.
            while (try? FileManager.default.subpathsOfDirectory(atPath: target))?.count ?? 0 < 2 { await Task.yield() }
            try Data("late".utf8).write(to: late)
        }
        await #expect {
            try await provider.moveItem(path: large["tree"], to: small["tree"])
        } throws: {
            $0.isItemChanged
        }
        try await arrival.value
        #expect(try Data(contentsOf: late) == Data("late".utf8))
        #expect(try names(folders[1].appending("tree")).count == 400)
        await clean()
    }

    @Test("what does not fit on the other file system stays where it was, and nothing is left there")
    func moveWithoutRoom() async throws {
        _ = try await provider.write(path: large["big"], from: ByteStream(Data(count: 20_000_000)))
        await expectFull { try await provider.moveItem(path: large["big"], to: small["big"]) }
        #expect(try folders.map(names) == [["big"], []])
        await clean()
    }

    @Test("a full disk is named, the old file stays, and nothing of the new one")
    func fullDisk() async throws {
        let big = ByteStream(Data(count: 20_000_000))
        try await provider.writeContents(path: small["file"], contents: Data("old".utf8))
        for name in ["file", "new"] as [ItemPath] {
            var context = OperationContext()
            context.options.overwrite = true
            await expectFull {
                _ = try await provider.write(path: small[name], from: big, in: context)
            }
            let partial = try await provider.beginPartialWrite(
                path: small[name], length: 20_000_000, resuming: nil, in: context)
            await expectFull { try await partial.append(big, in: context) }
            try await partial.abort()
        }
        #expect(try names(folders[1]) == ["file"])
        #expect(try await provider.contents(path: small["file"]) == Data("old".utf8))
        await clean()
    }

    @Test("the room on a file system is told by path")
    func room() async throws {
        let volume = try #require(try await provider.storageProperties(path: small))
        #expect(volume.totalCapacity == 16 << 20)
        _ = try await provider.write(path: small["f"], from: ByteStream(Data(count: 4 << 20)))
        let fuller = try #require(try await provider.storageProperties(path: small))
        #expect(try #require(fuller.usedCapacity) >= 4 << 20)
        #expect(try await provider.storageProperties(path: large)?.totalCapacity != 16 << 20)
        await clean()
    }

    private func expectFull(_ work: () async throws -> Void) async {
        do {
            try await work()
            Issue.record("it fitted")
        } catch {
            #expect((error as? CocoaError)?.code == .fileWriteOutOfSpace, "\(error)")
        }
    }
}

extension ItemPath {
    fileprivate subscript(_ rest: ItemPath) -> ItemPath { appending(rest) }
}

extension TestServer {
    /// The folder on a file system of 16 MiB, if one could be mounted.
    var smallFolder: LocalPath? {
        { $0.isEmpty ? nil : LocalPath($0) }(Self.variable("\(name)_SMALL_ROOT"))
    }
}
