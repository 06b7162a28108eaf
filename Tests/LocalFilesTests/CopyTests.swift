import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct CopyTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    /// A tree with one of everything.
    private func makeTree() throws {
        try scratch.makeDirectory("tree/a/b")
        try scratch.makeDirectory("tree/empty")
        for number in 0..<30 { try scratch.makeDirectory("tree/d\(number)") }
        for number in 0..<30 { try scratch.put("file \(number)", at: "tree/d\(number)/file") }
        try scratch.put("text", at: "tree/a/b/file")
        try scratch.put("", at: "tree/empty file")
        try scratch.makeLink("tree/link", to: "a/b/file")
        try scratch.makeLink("tree/away", to: "/etc/passwd")
        mkfifo(scratch.at("tree/pipe"), 0o600)
        chmod(scratch.at("tree/pipe"), 0o622)
        chmod(scratch.at("tree/a/b/file"), 0o751)
        setTime("tree/a/b/file", 1_000_000_001)
        setTime("tree/link", 1_000_000_002)
        chmod(scratch.at("tree/a/b"), 0o555)
        setTime("tree/a/b", 1_000_000_003)
        setTime("tree", 1_000_000_004)
    }

    private func setTime(_ path: String, _ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 5), timespec(tv_sec: seconds, tv_nsec: 123_456_789)]
        utimensat(AT_FDCWD, scratch.at(path), times, AT_SYMLINK_NOFOLLOW)
    }

    @Test func everythingInATree() async throws {
        try makeTree()
        defer { for tree in ["tree", "copy"] { chmod(scratch.at(tree + "/a/b"), 0o755) } }
        let copy = try await provider.copyItem(path: "tree", to: "copy")
        #expect(copy?.isDirectory == true && copy?.modificationTime?.nanoseconds == 1_000_000_004_123_456_789)
        let originals = try await provider.recursiveListing(path: "tree").collect()
        let copies = try await provider.recursiveListing(path: "copy").collect()
        let umask = try processMask()
        let byPath = Dictionary(uniqueKeysWithValues: copies.map { ($0.path.relative(to: "copy"), $0) })
        #expect(originals.count == copies.count)
        for original in originals {
            let copy = try #require(byPath[original.path.relative(to: "tree")])
            #expect(copy.type == original.type && copy.size == original.size)
            // Limited by the umask.
            let permissions = original.permissions.map { original.isSymLink ? $0 : $0 & ~umask }
            #expect(copy.permissions == permissions, "\(copy.path)")
            #expect(copy.modificationTime == original.modificationTime, "\(copy.path)")
            #expect(copy.linkTarget == original.linkTarget)
            #expect(copy.fileID != original.fileID)
        }
        #expect(scratch.text("copy/a/b/file") == "text")
        #expect(try scratch.names() == ["copy", "tree"])
    }

    @Test func aFileKeepsPermissionsAndTime() async throws {
        try scratch.put("text", at: "file")
        chmod(scratch.at("file"), 0o640)
        setTime("file", 1_000_000_001)
        let copy = try await provider.copyItem(path: "file", to: "copy")
        #expect(copy?.permissions == 0o640)
        #expect(copy?.modificationTime?.nanoseconds == 1_000_000_001_123_456_789)
        try scratch.put("other", at: "file")
        #expect(scratch.text("copy") == "text")
    }

    @Test func linksAreCopiedAsLinks() async throws {
        try scratch.makeLink("link", to: "../outside")
        let copy = try await provider.copyItem(path: "link", to: "copy")
        #expect(copy?.linkTarget == "../outside")
    }

    @Test func holesStayHoles() async throws {
        let size: Int64 = 5 << 30
        let file = open(scratch.at("sparse"), O_RDWR | O_CREAT, 0o600)
        ftruncate(file, off_t(size))
        pwrite(file, "middle", 6, 3 << 30)
        close(file)
        try await provider.copyItem(path: "sparse", to: "copy")
        try await provider.copyItem(localFile: LocalPath(scratch.at("sparse")), to: "uploaded")
        let download = LocalPath(scratch.folder + "/downloaded")
        try await provider.copyItem(path: "sparse", toLocalFile: download)
        for copy in ["copy", "uploaded", "../downloaded"] {
            let status = try #require(scratch.status(copy))
            #expect(status.st_size == size, "\(copy)")
            #expect(status.st_blocks < 100, "\(copy)")
            let handle = try LocalFileHandle(reading: LocalPath(scratch.at(copy)))
            #expect(try handle.read(at: (3 << 30) - 2, count: 10) == Data([0, 0] + Array("middle".utf8) + [0, 0]))
        }
    }

    @Test("what is large enough for two threads arrives whole")
    func largeFiles() async throws {
        var bytes = Data(count: (21 << 20) + 5)
        for index in stride(from: 0, to: bytes.count, by: 1021) { bytes[index] = UInt8(truncatingIfNeeded: index >> 7) }
        try bytes.write(to: URL(fileURLWithPath: scratch.at("large")))
        try await provider.copyItem(path: "large", to: "copy")
        #expect(FileManager.default.contents(atPath: scratch.at("copy")) == bytes)

        let file = try LocalFileHandle(reading: LocalPath(scratch.at("large")))
        let upload = try await provider.beginPartialWrite(
            path: "parts", length: nil, resuming: nil, in: OperationContext())
        let part = try #require(upload.localFile)
        for end in [9 << 20, Int64(bytes.count)] {
            let rest = ByteStream(.init(file: file, range: upload.acknowledged..<end))
            try await upload.append(rest, in: OperationContext())
            #expect(upload.acknowledged == end)
        }
        #expect(try part.read(at: 0, count: bytes.count + 1) == bytes)
        try await upload.abort()
    }

    @Test("what has been written of a large file has no gaps at any time")
    func largeFileInOrder() async throws {
        var bytes = Data(count: 72 << 20)
        for index in stride(from: 0, to: bytes.count, by: 4093) {
            bytes[index] = UInt8(truncatingIfNeeded: index >> 9) | 1
        }
        let source = bytes
        try source.write(to: URL(fileURLWithPath: scratch.at("large")))
        try Data().write(to: URL(fileURLWithPath: scratch.at("part")))
        let part = LocalFileHandle(owning: open(scratch.at("part"), O_RDWR))
        let looks = Locked(0)
        let progress = OperationProgress { _ in
            guard let size = try? Int(part.size()), size > 0 else { return }
            let recent = max(0, size - (4 << 20))..<size
            #expect(try! part.read(at: Int64(recent.lowerBound), count: recent.count) == source[recent])
            looks.withLock { $0 += 1 }
        }
        _ = try await provider.read(
            path: "large", range: .all, into: part, at: 0, in: OperationContext(progress: progress))
        #expect(looks.withLock { $0 } > 1)
        #expect(try part.read(at: 0, count: source.count + 1) == source)
    }

    @Test("a large file that ends before its length leaves nothing")
    func largeFileThatEndsEarly() async throws {
        try Data(count: (12 << 20) + 5).write(to: URL(fileURLWithPath: scratch.at("large")))
        let file = try LocalFileHandle(reading: LocalPath(scratch.at("large")))
        let source = ByteStream(.init(file: file, range: 0..<(30 << 20)))
        let error = await failure { try await provider.write(path: "new", from: source, in: OperationContext()) }
        #expect(error is CocoaError)
        #expect(try scratch.names() == ["large"])
    }

    @Test("a source that ends before its length is what the error is about")
    func sourceThatEndsEarly() async throws {
        try Data(count: (12 << 20) + 5).write(to: URL(fileURLWithPath: scratch.at("large")))
        let file = try LocalFileHandle(reading: LocalPath(scratch.at("large")))
        let version = FileVersion(size: 30 << 20)
        for range: Range<Int64> in [0..<(30 << 20), 5..<(30 << 20)] {
            let slice = ByteStream.LocalFileSlice(file: file, range: range, expected: (path: "large", version: version))
            let error = await failure {
                try await provider.write(path: "new", from: ByteStream(slice), in: OperationContext())
            }
            #expect(error?.isItemChanged == true && (error as? CocoaError)?.filePath == "/large")
        }
        var chunks = 0
        let expected: (path: ItemPath, version: FileVersion) = ("large", version)
        let slice = ByteStream.LocalFileSlice(file: file, range: 0..<(30 << 20), expected: expected)
        let error = await failure { for try await _ in ByteStream(slice) { chunks += 1 } }
        #expect(chunks > 0 && error?.isItemChanged == true)
    }

    @Test("a replacement keeps the old file's permissions", arguments: ["copy", "move"])
    func replaced(way: String) async throws {
        let status = try await replaceFile(by: way)
        #expect(status.st_mode & 0o7777 == 0o640 && scratch.text("old") == "new")
    }

    @Test(
        "a replacement keeps the old file's owner", .enabled(if: isSuperuser, "only the superuser gives files away"),
        arguments: ["copy", "move"])
    func owner(way: String) async throws { #expect(try await replaceFile(by: way, of: 12345).st_uid == 12345) }

    private func replaceFile(by way: String, of owner: uid_t? = nil) async throws -> stat {
        try scratch.put("old", at: "old")
        chmod(scratch.at("old"), 0o640)
        if let owner { chown(scratch.at("old"), owner, owner) }
        // A verified file next to the old one is moved into its place.
        let source = way == "copy" ? try ItemName(validating: "new") : TemporaryName.random()
        let path = ItemPath.root.appending(source)
        try await provider.writeContents(path: path, contents: Data("new".utf8))
        if way == "copy" {
            try await provider.copyItem(path: path, to: "old", overwrite: true)
        } else {
            try await provider.moveItem(path: path, to: "old", overwrite: true)
        }
        return try #require(scratch.status("old"))
    }

    @Test("a pipe is neither replaced nor written to")
    func pipes() async throws {
        mkfifo(scratch.at("pipe"), 0o600)
        try scratch.put("text", at: "file")
        let attempts: [() async throws -> Void] = [
            { try await provider.copyItem(path: "file", to: "pipe", overwrite: true) },
            { try await provider.moveItem(path: "file", to: "pipe", overwrite: true) },
            { try await provider.writeContents(path: "pipe", contents: Data(), overwrite: true) },
        ]
        for attempt in attempts {
            #expect(await message(attempt).contains("neither replaced nor written to"))
        }
        #expect(try await provider.attributesOfItem(path: "pipe").type == .unknown)
        #expect(try scratch.names() == ["file", "pipe"])
    }

    @Test(arguments: [true, false]) func refusals(overwrite: Bool) async throws {
        try scratch.makeDirectory("folder/inner")
        try scratch.put("file", at: "file")
        link(scratch.at("file"), scratch.at("alias"))
        try scratch.makeLink("link", to: "folder")
        let attempts: [(ItemPath, ItemPath)] = [
            ("file", "file"), ("file", "alias"), ("folder", "folder"), ("folder", "folder/new"),
            ("folder", "folder/inner/new"), ("folder", "link/new"), ("folder", "file"), ("file", "folder"),
            ("missing", "new"), ("file", "none/new"),
            ("file/", "new"), ("/", "new"), ("file", "/"), ("file", "new/"),
        ]
        for (source, destination) in attempts {
            for isMove in [true, false] {
                let error = await failure {
                    isMove
                        ? try await provider.moveItem(path: source, to: destination, overwrite: overwrite)
                        : try await provider.copyItem(path: source, to: destination, overwrite: overwrite)
                }
                #expect(error is CocoaError, "\(source) to \(destination), move: \(isMove)")
            }
        }
        #expect(scratch.text("file") == "file" && scratch.text("alias") == "file")
        #expect(try scratch.names() == ["alias", "file", "folder", "link"])
        #expect(try scratch.names("folder") == ["inner"])
    }

    @Test func onlyWithOverwriteAFileReplacesAFile() async throws {
        for (name, text) in [("a", "a"), ("b", "b")] { try scratch.put(text, at: name) }
        #expect(await failure { try await provider.copyItem(path: "a", to: "b") }?.isFileExists == true)
        #expect(scratch.text("b") == "b")
        try await provider.copyItem(path: "a", to: "b", overwrite: true)
        #expect(scratch.text("b") == "a" && scratch.text("a") == "a")
        try scratch.put("b", at: "b")
        #expect(await failure { try await provider.moveItem(path: "a", to: "b") }?.isFileExists == true)
        try await provider.moveItem(path: "a", to: "b", overwrite: true)
        #expect(scratch.text("b") == "a" && !scratch.exists("a"))
    }

    @Test(.enabled(if: !isSuperuser, "the superuser may read everything"))
    func aTreeWithAnUnreadableFileIsNotCopiedAndTheErrorNamesTheFile() async throws {
        try makeTree()
        try scratch.put("secret", at: "tree/d7/secret")
        chmod(scratch.at("tree/d7/secret"), 0)
        defer { chmod(scratch.at("tree/a/b"), 0o755) }
        let error = await failure { try await provider.copyItem(path: "tree", to: "copy") }
        #expect((error as? CocoaError)?.code == .fileReadNoPermission)
        #expect((error as? CocoaError)?.filePath == "/tree/d7/secret")
        #expect(try scratch.names() == ["tree"])
    }

    @Test("no copy is made of a file that changes meanwhile", arguments: [true, false])
    func torn(isInFolder: Bool) async throws {
        try scratch.makeDirectory("tree")
        try Data(count: 64 << 20).write(to: URL(fileURLWithPath: scratch.at("tree/large")))
        let file = open(scratch.at("tree/large"), O_WRONLY)
        defer { close(file) }
        let isOver = Locked(false)
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let writing = Thread {
            var byte = UInt8(1)
            while !isOver.withLock({ $0 }) {
                for offset in [0, (64 << 20) - 1] { pwrite(file, &byte, 1, off_t(offset)) }
                begin.finish()
            }
        }
        writing.start()
        for await _ in began {}
        let (source, target): (ItemPath, ItemPath) = isInFolder ? ("tree", "copy") : ("tree/large", "copy")
        let error = await failure { try await provider.copyItem(path: source, to: target) }
        isOver.withLock { $0 = true }
        #expect(error?.isItemChanged == true && (error as? CocoaError)?.filePath == "/tree/large")
        #expect(try scratch.names() == ["tree"])
    }

    @Test func aCancelledCopyLeavesNothing() async throws {
        try makeTree()
        defer { chmod(scratch.at("tree/a/b"), 0o755) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await provider.perform(.copy(source: "tree", destination: "copy"), in: OperationContext())
        }
        #expect(await failure { try await task.value } is CancellationError)
        #expect(try scratch.names() == ["tree"])
    }

    @Test func aProgramThatRunsAsItsOwnerDoesNotSoForWhoeverCopiesIt() async throws {
        try scratch.put("", at: "program")
        if isSuperuser { chown(scratch.at("program"), 12345, 12345) }
        chmod(scratch.at("program"), 0o4755)
        let copy = try await provider.copyItem(path: "program", to: "copy")
        #expect(copy?.permissions == (isSuperuser ? 0o755 : 0o4755))
    }
}
