import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Several connections to one server: for large files, within what it allows.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct ConnectionPoolTests {
    private let server: TestServer
    private let scratch: ScratchFile
    /// No two pieces are the same, so that none can be in another's place.
    private static let bytes = (0..<(33 << 17)).reduce(into: Data(capacity: 33 << 20)) { data, number in
        withUnsafeBytes(of: UInt64(number) &* 0x9E37_79B9_7F4A_7C15) { data.append(contentsOf: $0) }
    }
    private let name = ItemName(unchecked: Array("pool-\(UUID())".utf8))

    init() throws {
        server = try #require(TestServer("SSHD"))
        scratch = try ScratchFile(Self.bytes)
    }

    /// A local file that goes with the test.
    private final class ScratchFile: Sendable {
        let path = LocalPath(FileManager.default.temporaryDirectory.appending(path: "pool-\(UUID())"))!

        init(_ bytes: Data) throws { try PrivateFile.replace(path, with: bytes) }
        deinit { try? PrivateFile.remove(path) }
    }

    private var source: LocalPath { scratch.path }

    private var bytes: Data { Self.bytes }
    private var path: ItemPath { .root.appending(name) }

    /// Removes what a test made on the server.
    private func clean() {
        try? PrivateFile.remove(server.folder.appending(name.bytes))
    }

    private func uploaded(to server: TestServer? = nil) throws -> Data? {
        try PrivateFile.read((server ?? self.server).folder.appending(name.bytes), limit: 64 << 20)
    }

    @Test("a large file goes over several connections, and those that only help close when they have nothing to do")
    func together() async throws {
        defer { clean() }
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.connections = 3
        configuration.ssh.idleTimeout = 1
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let most = Task {
            var most = 0
            while !Task.isCancelled {
                most = max(most, provider.session.connectionCount)
                try? await Task.sleep(for: .milliseconds(1))
            }
            return most
        }
        _ = try await provider.write(path: path, from: ByteStream(localFile: source))
        most.cancel()
        #expect(try uploaded() == bytes)
        #expect(await most.value == 3)
        for _ in 0..<600 where provider.session.connectionCount > 1 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(provider.session.connectionCount == 1)
        #expect(try await provider.attributesOfItem(path: path).size == Int64(bytes.count))
    }

    @Test("a connection that has ended lets go of its open files")
    func released() async throws {
        defer { clean() }
        weak var mailbox: ConnectionMailbox?
        do {
            let url = try #require(URL(string: "sftp://host"))
            let connection = try SFTPConnection(ScriptedTransport(), url: url, patience: .seconds(5))
            _ = try await connection.traits()
            mailbox = connection.mailbox
        }
        for _ in 0..<500 where mailbox != nil { try await Task.sleep(for: .milliseconds(20)) }
        #expect(mailbox == nil)
    }

    @Test("a connection that closes itself is not used any more, and one that is used does not")
    func retired() throws {
        defer { clean() }
        let mailbox = try ConnectionMailbox()
        #expect(mailbox.beginUse())
        #expect(!mailbox.retire())
        mailbox.endUse()
        mailbox.post { _ in }
        #expect(!mailbox.retire(), "there is something to do")
        _ = mailbox.take()
        #expect(mailbox.retire())
        #expect(!mailbox.beginUse())
    }

    @Test("a small file takes one connection, and so does a large one near a small machine's processors")
    func alone() async throws {
        defer { clean() }
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.connections = 4
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        _ = try await provider.write(path: path, from: ByteStream(Data(count: 1 << 20)))
        #expect(provider.session.connectionCount == 1)
        let pool = ConnectionPool { _ in fatalError("nothing is connected") }
        var traits = ServerTraits(extensions: [.fsync], roundTrip: .microseconds(100))
        let width = pool.width(for: 1 << 30, traits)
        #expect(width == min(4, max(1, ProcessInfo.processInfo.activeProcessorCount / 2)))
        traits.roundTrip = .milliseconds(20)
        #expect(pool.width(for: 1 << 30, traits) == 6)
        #expect(pool.width(for: 1 << 20, traits) == 1)
    }

    @Test("a server whose first answer was late is known as near by its quickest one")
    func lateFirstAnswer() async throws {
        typealias Server = ScriptedTransport
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.openSSH) { request in
                guard request.type == .extended else { return .send(Server.attributes(request.id, size: 5)) }
                Thread.sleep(forTimeInterval: 0.1)
                return .send(Server.status(request.id, .unsupported))
            })
        #expect(try await provider.session.client().traits.distance == .farAway)
        // On a busy machine one answer more may be late.
        for _ in 0..<100 where try await provider.session.client().traits.distance != .nearby {
            _ = try await provider.attributesOfItem(path: "file")
        }
        #expect(try await provider.session.client().traits.distance == .nearby)
    }

    @Test("helpers that are cut off give back what they had")
    func helpersAreCutOff() async throws {
        defer { clean() }
        let proxy = try FaultProxy(to: server.port) { connection in
            FaultProxy.Faults(
                toServer: connection == 0 ? [.trickle(bytesPerSecond: 16 << 20)] : [.reset(after: 1 << 20)])
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 3
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        _ = try await provider.write(path: path, from: ByteStream(localFile: source))
        #expect(try uploaded() == bytes)
        #expect(proxy.connectionCount == 3)
        // They were cut, so they had sent something.
        for _ in 0..<600 where provider.session.connectionCount > 1 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(provider.session.connectionCount == 1)
    }

    @Test("a file that was cut off in the middle of several connections is continued without a gap")
    func continued() async throws {
        defer { clean() }
        let proxy = try FaultProxy(to: server.port) { connection in
            connection < 3 ? FaultProxy.Faults(toServer: [.reset(after: 3 << 20)]) : FaultProxy.Faults()
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 3
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let length = Int64(bytes.count)
        let begun = try await provider.beginPartialWrite(
            path: path, length: length, resuming: nil, in: OperationContext())
        await #expect(throws: URLError.self) {
            try await begun.append(ByteStream(localFile: source), in: OperationContext())
        }
        let held = begun.acknowledged
        #expect(held < length)
        let resumed = try await provider.beginPartialWrite(
            path: path, length: length, resuming: begun.saveState(), in: OperationContext())
        #expect(resumed.acknowledged == held)
        let file = try LocalFileHandle(reading: source)
        try await resumed.append(
            ByteStream(ByteStream.LocalFileSlice(file: file, range: held..<length)), in: OperationContext())
        _ = try await resumed.commit(in: OperationContext())
        #expect(try uploaded() == bytes)
    }

    @Test("a slow connection keeps the others near: what a killed program sends again stays within 8 MiB")
    func reach() async throws {
        defer { clean() }
        #expect(ServerTraits(roundTrip: .seconds(3)).window <= 8 << 20)
        let proxy = try FaultProxy(to: server.port) { connection in
            FaultProxy.Faults(toServer: connection == 0 ? [.trickle(bytesPerSecond: 4 << 20)] : [])
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 3
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let begun = try await provider.beginPartialWrite(
            path: path, length: Int64(bytes.count), resuming: nil, in: OperationContext())
        let before = proxy.traffic.bytesToServer
        let most = Task {
            var most: Int64 = 0
            while !Task.isCancelled {
                let sent = Int64(proxy.traffic.bytesToServer - before)
                most = max(most, sent - begun.acknowledged)
                try? await Task.sleep(for: .milliseconds(1))
            }
            return most
        }
        try await begun.append(ByteStream(localFile: source), in: OperationContext())
        most.cancel()
        #expect(await most.value < 8 << 20)
        #expect(proxy.connectionCount == 3)
        _ = try await begun.commit(in: OperationContext())
        #expect(try uploaded() == bytes)
    }

    @Test(
        "many small files at once take a second connection, where there may be one",
        arguments: [nil, 1], [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func crowd(connections: Int?, transport: SSHConfiguration.Transport) async throws {
        defer { clean() }
        var configuration = try server.configuration(transport)
        configuration.ssh.connections = connections
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        _ = try await provider.create(folder: name, at: .root)
        try await withThrowingDiscardingTaskGroup { group in
            for worker in 0..<16 {
                group.addTask {
                    for file in 0..<20 {
                        let text = Data("\(worker) \(file)".utf8)
                        _ = try await provider.write(path: path.appending("\(worker)-\(file)"), from: ByteStream(text))
                    }
                }
            }
        }
        let mayHelp = connections == nil && ProcessInfo.processInfo.activeProcessorCount > 1
        #expect(provider.session.connectionCount == (mayHelp ? 2 : 1))
        for worker in 0..<16 {
            for file in 0..<20 {
                let made = server.folder.appending(name.bytes).appending("\(worker)-\(file)")
                #expect(try PrivateFile.read(made) == Data("\(worker) \(file)".utf8))
            }
        }
        try await provider.removeItem(path: path)
    }

    @Test("a connection that only helps stays while a file is open on it, be its source ever so slow")
    func slowSources() async throws {
        defer { clean() }
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.idleTimeout = 0.5
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        _ = try await provider.create(folder: name, at: .root)
        try await withThrowingDiscardingTaskGroup { group in
            for worker in 0..<16 {
                group.addTask {
                    for file in 0..<4 {
                        // The last ones begin when there is a helper, and pause for longer than it stays without work.
                        let slowly = AsyncStream<Data> { continuation in
                            continuation.yield(Data(count: 1 << 20))
                            let pause = file == 3 ? DispatchTimeInterval.seconds(3) : .seconds(0)
                            DispatchQueue.global().asyncAfter(deadline: .now() + pause) {
                                continuation.yield(Data(count: 1 << 20))
                                continuation.finish()
                            }
                        }
                        try await provider.write(
                            path: path.appending("\(worker)-\(file)"), from: ByteStream(slowly, length: 2 << 20))
                    }
                }
            }
        }
        #expect(try await provider.contentsOfDirectory(path: path).filter { $0.size == 2 << 20 }.count == 64)
        try await provider.removeItem(path: path)
    }

    @Test("the person is asked once, whatever the number of connections")
    func askedOnce() async throws {
        defer { clean() }
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.keys = [server.keys.appending("id_locked")]
        configuration.ssh.connections = 3
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let person = Person(answers: ["secret", "secret", "secret"])
        provider.session.interaction = person
        _ = try await provider.write(path: path, from: ByteStream(localFile: source))
        #expect(try uploaded() == bytes)
        #expect(person.questions.count == 1)
    }

    @Test(
        "a server that has one person at its door at a time gets them all in, one after the other",
        .enabled(if: TestServer("SSHNARROW") != nil), arguments: [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func narrow(transport: SSHConfiguration.Transport) async throws {
        defer { clean() }
        let narrow = try #require(TestServer("SSHNARROW"))
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    let provider = try narrow.provider(transport)
                    #expect(try await provider.attributesOfItem(path: .root).isDirectory)
                }
            }
        }
        var configuration = try narrow.configuration(transport)
        configuration.ssh.connections = 4
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        _ = try await provider.write(path: path, from: ByteStream(localFile: source))
        #expect(try uploaded(to: narrow) == bytes)
        try await provider.removeItem(path: path)
    }
}

/// Which part of a file whose turn it is.
@Suite struct PieceworkTests {
    @Test("pieces that are done in any order make one beginning, and what comes back is taken again")
    func order() {
        let prefixes = Locked<[Int64]>([])
        let work = Piecework(10..<100, reach: 100) { prefix in prefixes.withLock { $0.append(prefix) } }
        let pieces = [work.take(upTo: 40), work.take(upTo: 40), work.take(upTo: 40), work.take(upTo: 40)]
        #expect(pieces == [10..<50, 50..<90, 90..<100, nil])
        work.finish(90..<100)
        work.finish(50..<90)
        work.giveBack(10..<50)
        #expect(!work.isComplete)
        #expect(work.take(upTo: 8) == 10..<50)
        work.finish(10..<50)
        #expect(work.isComplete)
        #expect(prefixes.withLock { $0 } == [10, 10, 100])
    }

    @Test("nobody gets too far ahead, and who was held up is told when there is room")
    func reach() {
        let calls = Locked(0)
        let work = Piecework(0..<100, reach: 50)
        work.onChange { calls.withLock { $0 += 1 } }
        #expect([work.take(upTo: 30), work.take(upTo: 30), work.take(upTo: 30)] == [0..<30, 30..<60, nil])
        work.finish(30..<60)
        #expect(calls.withLock { $0 } == 0)
        #expect(work.take(upTo: 30) == nil && !work.isExhausted)
        work.finish(0..<30)
        #expect(calls.withLock { $0 } == 1)
        #expect(work.take(upTo: 40) == 60..<100)
        #expect(work.isExhausted && !work.isComplete)
        work.finish(60..<100)
        #expect(work.isComplete && calls.withLock { $0 } == 2)
    }

    @Test("on a fast line more may be under way, and less again when it is slow")
    func fastLine() {
        let start = ContinuousClock.now
        let work = Piecework(0..<(100 << 20), reach: 16 << 20, from: start)
        func carry(_ range: Range<Int64>, at time: Duration) {
            let bytes = (range.lowerBound << 20)..<(range.upperBound << 20)
            #expect(work.take(upTo: bytes.count) == bytes)
            #expect(work.take(upTo: 1) == nil, "this is the reach")
            work.finish(bytes, at: start + time)
        }
        carry(0..<7, at: .milliseconds(1))
        carry(7..<14, at: .milliseconds(101))
        let more = work.take(upTo: 8 << 20)
        #expect(more == (14 << 20)..<(22 << 20) && work.take(upTo: 5 << 20) == (22 << 20)..<(27 << 20))
        work.finish((22 << 20)..<(27 << 20), at: start + .seconds(9))
        work.finish((14 << 20)..<(22 << 20), at: start + .seconds(10))
        carry(27..<34, at: .seconds(11))
    }

    @Test("each connection has its share of what may be under way, and what one leaves is the others'")
    func shares() {
        let calls = Locked(0)
        let work = Piecework(0..<100, reach: 60, enough: 2)
        work.onChange { calls.withLock { $0 += 1 } }
        work.join()
        #expect([work.take(upTo: 20), work.take(upTo: 20, having: 20)] == [0..<20, 20..<40])
        work.join()
        #expect(work.take(upTo: 20, having: 40) == nil)
        #expect(work.take(upTo: 10) == 40..<50)
        work.leave()
        #expect(calls.withLock { $0 } == 1)
        #expect(work.take(upTo: 20, having: 40) == 50..<70)
        #expect(work.take(upTo: 20, having: 0) == nil)
    }

    @Test("beside helpers that keep the processors busy, the first connection takes only what they give back")
    func enoughHelpers() throws {
        let work = Piecework(0..<100, reach: 60, enough: 2)
        work.join()
        work.join()
        #expect(work.take(upTo: 10, helps: false) == 0..<10, "one helper is not enough")
        work.join()
        #expect(work.take(upTo: 10, helps: false) == nil)
        let piece = try #require(work.take(upTo: 10, having: 29))
        #expect(work.take(upTo: 10, having: 30) == nil, "each helper's share is half of the reach")
        work.giveBack(piece)
        #expect(work.take(upTo: 10, helps: false) == piece)
        work.leave()
        #expect(work.take(upTo: 10, helps: false) == 20..<30, "a helper has left")
    }
}
