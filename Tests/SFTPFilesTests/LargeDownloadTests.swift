import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// A large file that is fetched over several connections, and is a beginning of itself at any time.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct LargeDownloadTests {
    private let server: TestServer
    private let bytes: Data
    private let name = ItemName(unchecked: Array("large-\(UUID())".utf8))

    init() throws {
        server = try #require(TestServer("SSHD"))
        // No two pieces are the same, so that none can be in another's place.
        bytes = (0..<(33 << 17)).reduce(into: Data(capacity: 33 << 20)) { data, number in
            withUnsafeBytes(of: UInt64(number) &* 0x9E37_79B9_7F4A_7C15) { data.append(contentsOf: $0) }
        }
        try PrivateFile.replace(served, with: bytes)
        // The server runs as somebody else.
        _ = served.withCString { chmod($0, 0o644) }
    }

    private var path: ItemPath { .root.appending(name) }
    private var served: LocalPath { server.folder.appending(name.bytes) }

    /// Changes the file where it lies.
    @Sendable private func append() {
        let descriptor = served.withCString { open($0, O_WRONLY | O_APPEND | O_CLOEXEC) }
        #expect(write(descriptor, "more", 4) == 4)
        close(descriptor)
    }

    private func clean() { try? PrivateFile.remove(served) }

    /// Fetches the file, or a range of it behind a byte of our own.
    private func fetch(_ configuration: SFTPConfiguration, _ range: ByteRange = .all) async throws -> (Data, Int) {
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let file = try LocalFileHandle.temporary()
        let head = try await provider.read(path: path, range: range, into: file, at: 1, in: OperationContext())
        #expect(head.length == Int64(try file.size() - 1))
        return (try file.read(at: 1, count: 64 << 20), provider.session.connectionCount)
    }

    @Test("it comes over several connections", arguments: SSHConfiguration.Transport.allCases)
    func together(transport: SSHConfiguration.Transport) async throws {
        defer { clean() }
        var configuration = try server.configuration(transport)
        configuration.ssh.connections = 3
        let (fetched, connections) = try await fetch(configuration)
        #expect(fetched == bytes)
        #expect(connections == 3)
        let range: Range<Int64> = 1001..<Int64(33 << 20) - 7
        #expect(try await fetch(configuration, .range(range)).0 == bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    @Test("a file that changes while it is read is no version of itself", arguments: [1, 3])
    func changes(connections: Int) async throws {
        defer { clean() }
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.connections = connections
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let version = try await provider.attributesOfItem(path: path).version
        let options = OperationOptions(expecting: version)
        // It becomes longer when the first mebibyte is there.
        let change = Locked<(@Sendable () -> Void)?>({ append() })
        let progress = OperationProgress(total: nil) { state in
            if state.completed > 1 << 20 { change.withLock { $0.take() }?() }
        }
        await #expect {
            let context = OperationContext(options: options, progress: progress)
            _ = try await provider.read(
                path: path, range: .all, into: LocalFileHandle.temporary(), at: 0, in: context)
        } throws: {
            $0.isItemChanged
        }
        #expect(change.withLock { $0 == nil })
        // A stream asks for no more than its reader takes.
        let second = try await provider.attributesOfItem(path: path).version
        let context = OperationContext(options: OperationOptions(expecting: second))
        await #expect {
            let contents = try await provider.read(path: path, range: .all, in: context)
            var isFirst = true
            for try await _ in contents.bytes where isFirst {
                isFirst = false
                append()
            }
        } throws: {
            $0.isItemChanged
        }
    }

    @Test("helpers that are cut off give back what they had")
    func helpersAreCutOff() async throws {
        defer { clean() }
        let proxy = try FaultProxy(to: server.port) { connection in
            FaultProxy.Faults(
                toClient: connection == 0 ? [.trickle(bytesPerSecond: 16 << 20)] : [.reset(after: 1 << 20)])
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 3
        #expect(try await fetch(configuration).0 == bytes)
        #expect(proxy.connectionCount == 3)
    }

    @Test("when everything is cut off, what arrived is a beginning, and the rest can be fetched")
    func continued() async throws {
        defer { clean() }
        let proxy = try FaultProxy(to: server.port) { connection in
            connection < 3 ? FaultProxy.Faults(toClient: [.reset(after: 3 << 20)]) : FaultProxy.Faults()
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 3
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let file = try LocalFileHandle.temporary()
        let told = Locked<Int64>(0)
        let context = OperationContext(
            options: OperationOptions(),
            progress: OperationProgress { state in told.withLock { $0 = max($0, state.completed) } })
        await #expect(throws: URLError.self) {
            _ = try await provider.read(path: path, range: .all, into: file, at: 0, in: context)
        }
        let held = try file.size()
        #expect(held < Int64(bytes.count))
        #expect(told.withLock { $0 } == held)
        #expect(try file.read(at: 0, count: Int(held)) == bytes.prefix(Int(held)))
        _ = try await provider.read(path: path, range: .from(held), into: file, at: held, in: OperationContext())
        #expect(try file.read(at: 0, count: bytes.count + 1) == bytes)
    }

    @Test("a local file that takes no more is an error, and the only one")
    func fullDisk() async throws {
        defer { clean() }
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.connections = 3
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let full = LocalFileHandle(owning: open("/dev/full", O_RDWR | O_CLOEXEC))
        let error = await #expect(throws: CocoaError.self) {
            _ = try await provider.read(path: path, range: .all, into: full, at: 0, in: OperationContext())
        }
        #expect(error?.code == .fileWriteOutOfSpace)
    }
}

/// Who helps, where the OpenSSH client is installed.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct HelperTests {
    private let server: TestServer
    private let bytes = Data(repeating: 7, count: 33 << 20)
    private let folder: LocalPath
    private let path = ItemPath.root.appending(ItemName(unchecked: Array("helped-\(UUID())".utf8)))

    init() throws {
        server = try #require(TestServer("SSHD"))
        folder = LocalPath(FileManager.default.temporaryDirectory.appending(path: "helper-\(UUID())"))!
        try PrivateFile.createFolder(folder)
    }

    /// Sends a file with the help of a program, a shell script, while libssh2 is slow; gives how many connections
    /// reached the server, and the arguments of each of the program's runs.
    private func send(_ script: String) async throws -> (connections: Int, runs: [Substring]) {
        defer { try? FileManager.default.removeItem(atPath: folder.description) }
        let (program, source) = (folder.appending("ssh"), folder.appending("source"))
        try PrivateFile.replace(program, with: Data("#!/bin/sh\necho \"$@\" >>\"${0%/*}/runs\"\n\(script)\n".utf8))
        _ = program.withCString { chmod($0, 0o700) }
        try PrivateFile.replace(source, with: bytes)
        let proxy = try FaultProxy(to: server.port) { connection in
            FaultProxy.Faults(toServer: connection == 0 ? [.trickle(bytesPerSecond: 8 << 20)] : [])
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port, .automatic)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 3
        configuration.ssh.program = program
        configuration.ssh.programArguments = ["-J", "elsewhere"]
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        _ = try await provider.write(path: path, from: ByteStream(localFile: source))
        #expect(try await provider.attributesOfItem(path: path).size == Int64(bytes.count))
        try await provider.removeItem(path: path)
        let runs = try PrivateFile.read(folder.appending("runs")) ?? Data()
        return (proxy.connectionCount, String(decoding: runs, as: UTF8.self).split(separator: "\n"))
    }

    @Test("the OpenSSH client helps libssh2, on the way that libssh2 took")
    func program() async throws {
        let (connections, runs) = try await send("exec /usr/bin/ssh \"$@\"")
        #expect(connections == 3)
        #expect(runs.count == 2)
        for run in runs {
            #expect(run.contains("-F none") && !run.contains("elsewhere"))
            #expect(run.contains("BatchMode=yes") && run.contains("StrictHostKeyChecking=yes"))
        }
    }

    @Test("where the client does not get in, libssh2 helps itself")
    func library() async throws {
        let (connections, runs) = try await send("exit 255")
        #expect(connections == 3)
        #expect((1...2).contains(runs.count))
    }
}

/// Pieces in any order become a file in order.
@Suite struct OrderedFileTests {
    @Test("what is before its turn waits, and nothing is written behind the end")
    func order() async throws {
        let local = try LocalFileHandle.temporary()
        let told = Locked<[Int64]>([])
        let file = OrderedFile(local, from: 100, at: 2) { count in told.withLock { $0.append(count) } }
        try file.take([4, 5], at: 103)
        #expect(try local.size() == 0)
        try file.take([1, 2, 3], at: 100)
        #expect(try local.read(at: 2, count: 9) == Data([1, 2, 3, 4, 5]))
        #expect(told.withLock { $0 } == [3, 5])
        await file.close()
        #expect(throws: CancellationError.self) { try file.take([6], at: 105) }
        #expect(try local.size() == 7)
    }

    @Test("many threads write all of it")
    func threads() async throws {
        let local = try LocalFileHandle.temporary()
        let file = OrderedFile(local, from: 0, at: 0) { _ in }
        await withDiscardingTaskGroup { group in
            for piece in (0..<64).shuffled() {
                group.addTask { try? file.take([UInt8](repeating: UInt8(piece), count: 1000), at: Int64(piece * 1000)) }
            }
        }
        await file.close()
        let expected = (0..<64).flatMap { [UInt8](repeating: UInt8($0), count: 1000) }
        #expect(try local.read(at: 0, count: 65_000) == Data(expected))
    }
}
