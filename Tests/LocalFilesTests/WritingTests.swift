import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct WritingTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    private struct Broken: Error {}

    @Test(arguments: [0, 1, 524_287, 524_288, 524_289, 1_048_577, 5_000_000])
    func sizes(size: Int) async throws {
        let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) })
        for (name, length) in [("known", Int64(size)), ("unknown", nil)] {
            let chunks = AsyncStream<Data> { stream in
                for start in stride(from: 0, to: size, by: 100_000) {
                    stream.yield(data[start..<min(start + 100_000, size)])
                }
                stream.finish()
            }
            let path = try ItemPath(validating: name)
            let file = try await provider.write(path: path, from: ByteStream(chunks, length: length))
            #expect(file.size == Int64(size))
            #expect(FileManager.default.contents(atPath: scratch.at(name)) == data)
            #expect(try await provider.attributesOfItem(path: path) == file)
        }
        #expect(try scratch.names() == ["known", "unknown"])
    }

    @Test func existingWithoutOverwrite() async throws {
        try scratch.put("old", at: "file")
        let error = await failure { try await provider.write(path: "file", from: ByteStream("new")) }
        #expect(error?.isFileExists == true)
        #expect(scratch.text("file") == "old")
        #expect(try scratch.names() == ["file"])
    }

    @Test func aReplacedFileHandsOnItsPermissions() async throws {
        try scratch.put("old", at: "file")
        chmod(scratch.at("file"), 0o741)
        let before = try #require(scratch.status("file"))
        let options = OperationOptions(overwrite: true)
        let file = try await provider.write(path: "file", from: ByteStream("new"), options: options)
        #expect(file.permissions == 0o741)
        #expect(scratch.text("file") == "new")
        #expect(scratch.status("file")?.st_ino != before.st_ino)
        #expect(try scratch.names() == ["file"])
    }

    @Test func attributesAreThereWhenTheFileAppears() async throws {
        let time = FileTime(nanoseconds: 1_234_567_890_123_456_789)
        let options = OperationOptions(attributes: ItemAttributes(modificationTime: time, permissions: 0o604))
        let file = try await provider.write(path: "file", from: ByteStream("new"), options: options)
        #expect(file.permissions == 0o604 && file.modificationTime == time)
    }

    @Test func theSourceFailsHalfway() async throws {
        try scratch.put("old", at: "file")
        let source = ByteStream(length: nil) {
            let isFirst = AsyncStream<Void>.makeStream()
            isFirst.continuation.yield()
            isFirst.continuation.finish()
            let once = isFirst.stream
            return {
                for await _ in once { return Data(repeating: 1, count: 1000) }
                throw Broken()
            }
        }
        let options = OperationOptions(overwrite: true)
        let error = await failure { try await provider.write(path: "file", from: source, options: options) }
        #expect(error is Broken)
        #expect(scratch.text("file") == "old")
        #expect(try scratch.names() == ["file"])
    }

    @Test(arguments: [3, 5]) func theSourceIsShorterOrLonger(announced: Int64) async throws {
        let source = ByteStream(
            AsyncStream { stream in
                stream.yield(Data("four".utf8))
                stream.finish()
            }, length: announced)
        let message = await message { try await provider.write(path: "file", from: source) }
        #expect(message.contains("\(announced) bytes were announced, but 4 came"))
        #expect(try scratch.names().isEmpty)
    }

    @Test func cancelled() async throws {
        let (chunks, feed) = AsyncStream<Data>.makeStream()
        let task = Task { try await provider.write(path: "file", from: ByteStream(chunks)) }
        feed.yield(Data(repeating: 1, count: 1000))
        task.cancel()
        #expect(await failure { try await task.value } is CancellationError)
        #expect(try scratch.names().isEmpty)
    }

    @Test func onlyOneOfManyRacingWritersWins() async throws {
        for round in 0..<50 {
            let path = try ItemPath(validating: "file\(round)")
            let winners = await withTaskGroup(of: Int?.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        let data = Data(repeating: UInt8(writer), count: 10_000)
                        return await failure { try await provider.write(path: path, from: ByteStream(data)) } == nil
                            ? writer : nil
                    }
                }
                return await group.reduce(into: [Int]()) { if let winner = $1 { $0.append(winner) } }
            }
            #expect(winners.count == 1)
            #expect(try await provider.contents(path: path) == Data(repeating: UInt8(winners[0]), count: 10_000))
        }
        #expect(try scratch.names().count == 50)
    }

    @Test func ontoADirectory() async throws {
        try scratch.makeDirectory("folder")
        for overwrite in [true, false] {
            let options = OperationOptions(overwrite: overwrite)
            for path in ["folder", "/", "new/"] as [ItemPath] {
                let error = await failure {
                    try await provider.write(path: path, from: ByteStream("x"), options: options)
                }
                #expect(error?.isADirectory == true, "\(path), overwrite: \(overwrite)")
            }
        }
        #expect(try scratch.names() == ["folder"])
    }

    @Test func missingParent() async throws {
        #expect(await failure { try await provider.write(path: "a/b/c", from: ByteStream("x")) }?.isNoSuchFile == true)
        let options = OperationOptions(createsParents: true)
        try await provider.write(path: "a/b/c", from: ByteStream("x"), options: options)
        #expect(scratch.text("a/b/c") == "x")
        let error = await failure {
            try await provider.write(path: "a/b/c/d", from: ByteStream("x"), options: options)
        }
        #expect(error?.isNotADirectory == true && error?.isNoSuchFile == true)
    }

    @Test func aLinkIsReplacedItself() async throws {
        try scratch.put("old", at: "file")
        try scratch.makeLink("link", to: "file")
        try scratch.makeLink("dangling", to: "none")
        for link in ["link", "dangling"] as [ItemPath] {
            #expect(await failure { try await provider.write(path: link, from: ByteStream("x")) }?.isFileExists == true)
            let options = OperationOptions(overwrite: true)
            let file = try await provider.write(path: link, from: ByteStream("new"), options: options)
            #expect(file.isRegularFile)
        }
        #expect(scratch.text("file") == "old")
        #expect(!scratch.exists("none"))
    }

    @Test func onlyOverTheExpectedVersion() async throws {
        try scratch.put("old", at: "file")
        let version = try await provider.attributesOfItem(path: "file").version
        try scratch.put("changed", at: "file")
        let options = OperationOptions(overwrite: true, expecting: version)
        let error = await failure { try await provider.write(path: "file", from: ByteStream("new"), options: options) }
        #expect(error?.isItemChanged == true)
        #expect(scratch.text("file") == "changed")
    }

    @Test func theExpectedVersionIsLookedAtAgainInTheEnd() async throws {
        try scratch.put("old", at: "file")
        let version = try await provider.attributesOfItem(path: "file").version
        let scratch = scratch
        let source = ByteStream(length: nil) {
            {
                try scratch.put("changed meanwhile", at: "file"); return nil
            }
        }
        let options = OperationOptions(overwrite: true, expecting: version)
        let error = await failure { try await provider.write(path: "file", from: source, options: options) }
        #expect(error?.isItemChanged == true)
        #expect(scratch.text("file") == "changed meanwhile")
    }

    @Test func flushed() async throws {
        let options = OperationOptions(overwrite: true, flush: true)
        for text in ["one", "two"] {
            try await provider.write(path: "file", from: ByteStream(text), options: options)
            #expect(scratch.text("file") == text)
        }
    }
}
