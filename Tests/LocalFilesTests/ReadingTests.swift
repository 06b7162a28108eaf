import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct ReadingTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test(arguments: [
        (ByteRange.all, "0123456789"), (.from(7), "789"), (.from(10), ""), (.from(99), ""), (.range(2..<4), "23"),
        (.range(8..<99), "89"), (.last(3), "789"), (.last(99), "0123456789"), (.last(0), ""),
    ])
    func ranges(range: ByteRange, expected: String) async throws {
        try scratch.put("0123456789", at: "file")
        let contents = try await provider.read(path: "file", range: range)
        #expect(contents.head.length == Int64(expected.utf8.count))
        #expect(contents.head.totalSize == 10)
        #expect(try await contents.collect() == Data(expected.utf8))

        let copy = scratch.at("copy")
        let handle = LocalFileHandle(owning: open(copy, O_RDWR | O_CREAT, 0o600))
        let head = try await provider.read(
            path: "file", range: range, into: handle, at: 3, in: OperationContext())
        #expect(head.length == Int64(expected.utf8.count))
        #expect(try handle.read(at: 3, count: 99) == Data(expected.utf8))
    }

    @Test(arguments: [ByteRange.from(-1), .last(-1)])
    func negative(range: ByteRange) async throws {
        try scratch.put("0123456789", at: "file")
        #expect(await failure { try await provider.read(path: "file", range: range) } is CocoaError)
    }

    @Test func chunksAreBounded() async throws {
        let data = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try data.write(to: URL(fileURLWithPath: scratch.at("file")))
        var whole = Data()
        for try await chunk in try await provider.read(path: "file") {
            #expect(chunk.count <= 512 << 10)
            whole += chunk
        }
        #expect(whole == data)
    }

    @Test(.timeLimit(.minutes(5))) func pipesSocketsAndDevicesAreRefusedAtOnce() async throws {
        mkfifo(scratch.at("pipe"), 0o600)
        #expect(await message { try await provider.read(path: "pipe") }.contains("pipe"))
        let everything = try LocalFileProvider(root: LocalPath("/"))
        #expect(await message { try await everything.read(path: "dev/null") }.contains("/dev/null"))
        #expect(await failure { try await provider.copyItem(path: "pipe", toLocalFile: LocalPath("/x")) } != nil)
    }

    private static let (setLease, getLease): (Int32, Int32) = (1024, 1025)

    private static let areLeasesThere: Bool = {
        guard let scratch = try? Scratch(), (try? scratch.put("", at: "file")) != nil else { return false }
        let file = LocalFileHandle(owning: open(scratch.at("file"), O_RDWR))
        return fcntl(file.descriptor, setLease, F_WRLCK) == 0
    }()

    /// As a file server does for its clients.
    @Test(
        .timeLimit(.minutes(5)), .enabled(if: areLeasesThere, "needs a file system with leases"),
        arguments: [true, false])
    func aLeasedFileIsWaitedFor(isCopied: Bool) async throws {
        signal(SIGIO, SIG_IGN)  // What the kernel sends to the holder.
        try scratch.put("text", at: "file")
        let holder = LocalFileHandle(owning: open(scratch.at("file"), O_RDWR))
        #expect(fcntl(holder.descriptor, Self.setLease, F_WRLCK) == 0)
        Thread.detachNewThread {
            // It is to be given up once somebody asks for the file.
            while fcntl(holder.descriptor, Self.getLease) == F_WRLCK { usleep(1_000) }
            _ = fcntl(holder.descriptor, Self.setLease, F_UNLCK)
        }
        if isCopied {
            try await provider.copyItem(path: "file", to: "copy")
            #expect(scratch.text("copy") == "text")
        } else {
            #expect(try await provider.read(path: "file").collect() == Data("text".utf8))
        }
    }

    @Test func directoryMissingAndTrailingSlash() async throws {
        try scratch.makeDirectory("folder")
        try scratch.put("", at: "file")
        #expect(await failure { try await provider.read(path: "folder") }?.isADirectory == true)
        #expect(await failure { try await provider.read(path: "/") }?.isADirectory == true)
        #expect(await failure { try await provider.read(path: "missing") }?.isNoSuchFile == true)
        #expect(await failure { try await provider.read(path: "file/") }?.isNoSuchFile == true)
    }

    @Test func onlyTheExpectedVersion() async throws {
        try scratch.put("one", at: "file")
        let version = try await provider.attributesOfItem(path: "file").version
        let context = OperationContext(options: OperationOptions(expecting: version))
        _ = try await provider.read(path: "file", range: .all, in: context)
        try scratch.put("other", at: "file")
        let error = await failure { try await provider.read(path: "file", range: .all, in: context) }
        #expect(error?.isItemChanged == true)
    }

    @Test func filesOfTheKernelWithoutASize() async throws {
        let everything = try LocalFileProvider(root: LocalPath("/"))
        let target = try ItemPath(validating: scratch.at("copy"))
        try await everything.copyItem(path: "proc/version", to: target)
        #expect(scratch.text("copy")?.hasPrefix("Linux") == true)
        let handle = LocalFileHandle(owning: open(scratch.at("read"), O_RDWR | O_CREAT, 0o600))
        _ = try await everything.read(
            path: "proc/version", range: .from(1), into: handle, at: 1, in: OperationContext())
        #expect(scratch.text("read")?.dropFirst() == scratch.text("copy")?.dropFirst())
    }
}
