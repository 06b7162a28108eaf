import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Servers that lie, break off or never end: one clear error each.
@Suite struct HostileServerTests {
    private typealias Server = ScriptedTransport

    @Test(
        "a greeting that is no SFTP ends the connection",
        arguments: [
            (Server.number(0x7FFF_FFFF) + [2], "2147483647 bytes"),
            (Server.number(0), "0 bytes"),
            (Array("Welcome to the machine!\r\n".utf8), "prints text at login"),
            (Server.packet(.version, Server.number(2)), "version 2"),
            (Server.packet(.version, Server.number(3) + Server.number(500)), "ends within a field"),
            (Server.version() + Server.version(), "second greeting"),
        ])
    func greeting(bytes: [UInt8], words: String) async throws {
        let provider = SFTPFileProvider.scripted(Server(greeting: bytes))
        await expect(.cannotParseResponse, words) { _ = try await provider.attributesOfItem(path: "file") }
    }

    private static let misfits: [(String, @Sendable (UInt32) -> [UInt8])] = [
        ("never made", { Server.status($0 &+ 1_000, .ok) }),
        ("kind 102 answers", { Server.handle($0) }),
        ("unknown kind", { _ in Server.number(5) + [77, 0, 0, 0, 0] }),
        ("ends within a field", { Server.packet(.attributes, Server.number(Int($0)) + Server.number(15)) }),
        ("300000 bytes", { _ in Server.number(300_000) }),
        ("ends within a field", { _ in Server.number(2) + [101, 0] }),
    ]

    @Test("an answer that fits no request ends the connection", arguments: misfits)
    func answer(words: String, reply: @escaping @Sendable (UInt32) -> [UInt8]) async throws {
        let provider = SFTPFileProvider.scripted(Server { .send(reply($0.id)) })
        await expect(.cannotParseResponse, words) { _ = try await provider.attributesOfItem(path: "file") }
    }

    /// As a gateway answers that has lost its own connection to the storage: worth another try, unlike a refusal.
    @Test(
        "a server that has lost its storage is not a refusal",
        arguments: [SFTPStatus.Code.noConnection, .connectionLost, .lockConflict])
    func lostStorage(code: SFTPStatus.Code) async throws {
        let provider = SFTPFileProvider.scripted(
            ScriptedTransport(greeting: ScriptedTransport.version()) { request in
                .send(ScriptedTransport.status(request.id, code))
            })
        await #expect {
            try await provider.attributesOfItem(path: "file")
        } throws: { error in
            code == .lockConflict
                ? (error as? CocoaError)?.code == .fileLocking : (error as? URLError)?.code == .networkConnectionLost
        }
    }

    @Test("a list of names may be empty once")
    func emptyList() async throws {
        let lists = Locked<[[String]]>([[], ["a"], []])
        let provider = SFTPFileProvider.scripted(
            Server { request in
                switch request.type {
                case .opendir: return .send(Server.handle(request.id))
                case .readdir:
                    let list = lists.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    guard let list else { return .send(Server.status(request.id, .endOfFile)) }
                    return .send(Server.name(request.id, list))
                default: return .send(Server.status(request.id, .failure))
                }
            })
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["a"])
        lists.withLock { $0 = [["a"], [], []] }
        let error = await #expect(throws: CocoaError.self) { try await provider.contentsOfDirectory(path: "/") }
        #expect(error?.code == .fileReadCorruptFile)
    }

    @Test("a connection that is cut in mid-packet is lost, and the next operation opens another one")
    func cut() async throws {
        let isCut = Locked(false)
        let provider = SFTPFileProvider.scripted(
            Server { request in
                guard request.type == .lstat else { return .send(Server.status(request.id, .failure)) }
                let whole = Server.attributes(request.id, size: 5)
                let first = isCut.withLock { cut in
                    defer { cut = true }
                    return !cut
                }
                return first ? .hangUp(after: Array(whole.prefix(9))) : .send(whole)
            })
        await expect(.networkConnectionLost, "hung up") { _ = try await provider.attributesOfItem(path: "file") }
        #expect(try await provider.attributesOfItem(path: "file").size == 5)
    }

    @Test("a server that says nothing more is given up")
    func silence() async throws {
        let provider = SFTPFileProvider.scripted(Server(), answerTimeout: 0.2)
        await expect(.timedOut, "no answer") { _ = try await provider.attributesOfItem(path: "file") }
    }

    @Test("a server that has a disk to wait for may be silent for longer")
    func slowDisk() async throws {
        let provider = SFTPFileProvider.scripted(
            Server { request in
                if request.type == .close { Thread.sleep(forTimeInterval: 4) }
                switch request.type {
                case .open: return .send(Server.handle(request.id))
                case .lstat: return .send(Server.status(request.id, .noSuchFile))
                case .fstat: return .send(Server.attributes(request.id, size: 4))
                default: return .send(Server.status(request.id, .ok))
                }
            }, answerTimeout: 3)
        try await provider.writeContents(path: "file", contents: Data("text".utf8))
    }

    @Test("a cancelled task does not wait for a silent server")
    func cancelled() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let provider = SFTPFileProvider.scripted(
            Server { _ in
                ask.yield()
                return .silence
            })
        let task = Task { try await provider.attributesOfItem(path: "file") }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("names that lead elsewhere are no entries", arguments: ["../x", "a/b", "", "/etc/passwd", "a\0b"])
    func names(name: String) async throws {
        let provider = listing { Server.name($0, ["good", name]) }
        await expect(.fileReadCorruptFile) { _ = try await provider.contentsOfDirectory(path: .root) }
    }

    @Test("a listing without end is an error, and so are empty lists of names")
    func endless() async throws {
        let names = (0..<400).map { "n\($0)" }
        await expect(.fileReadTooLarge) {
            _ = try await listing { Server.name($0, names) }.contentsOfDirectory(path: .root)
        }
        await expect(.fileReadCorruptFile) {
            _ = try await listing { Server.name($0, []) }.contentsOfDirectory(path: .root)
        }
    }

    @Test("a list that claims more names than it has is damaged")
    func claims() async throws {
        let provider = listing { Server.packet(.name, Server.number(Int($0)) + Server.number(1 << 30)) }
        await expect(.cannotParseResponse, "cut short") { _ = try await provider.contentsOfDirectory(path: .root) }
    }

    @Test("more or fewer bytes than a READ may give end the connection", arguments: [0, 40_000])
    func wrongData(count: Int) async throws {
        let provider = reading(size: 100_000) { request in
            .send(Server.data(request.id, [UInt8](repeating: 1, count: count)))
        }
        await expect(.cannotParseResponse, "answer a READ") { _ = try await provider.contents(path: "file") }
    }

    @Test("a file that ends before its size is an error, streamed or downloaded")
    func shortFile() async throws {
        let provider = reading(size: 100_000) { .send(Server.status($0.id, .endOfFile)) }
        await expect(.fileWriteUnknown) { _ = try await provider.contents(path: "file") }
        let file = try LocalFileHandle.temporary()
        await expect(.fileWriteUnknown) {
            _ = try await provider.read(path: "file", range: .all, into: file, at: 0, in: OperationContext())
        }
    }

    @Test("a file whose beginning never comes is neither written with a gap nor gathered in memory")
    func withoutBeginning() async throws {
        let size = 200 << 20
        let asked = Locked(0)
        let provider = reading(size: size, answerTimeout: 1) { request in
            let offset = request.body[9..<13].reduce(0) { $0 << 8 | Int($1) }
            let count = request.body[13..<17].reduce(0) { $0 << 8 | Int($1) }
            asked.withLock { $0 = max($0, offset + count) }
            return offset == 0 ? .silence : .send(Server.data(request.id, Array(repeating: 7, count: count)))
        }
        let file = try LocalFileHandle.temporary()
        await expect(.timedOut, "no answer") {
            _ = try await provider.read(path: "file", range: .all, into: file, at: 0, in: OperationContext())
        }
        #expect(try file.size() == 0)
        #expect(asked.withLock { $0 } <= ServerTraits().reach)
    }

    @Test("answers out of order and in small pieces give the file all the same")
    func outOfOrder() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let held = Locked<[UInt8]>([])
        let provider = reading(size: bytes.count) { request in
            let offset = request.body[9..<13].reduce(0) { $0 << 8 | Int($1) }
            let count = min(request.body[13..<17].reduce(0) { $0 << 8 | Int($1) }, 10_000)
            let reply = Server.data(request.id, Array(bytes[offset..<min(offset + count, bytes.count)]))
            // The first pieces of the file come last.
            return held.withLock { held in
                if offset < 40_000, held.count < 30_000 {
                    held += reply
                    return .silence
                }
                defer { held = [] }
                return .send(reply + held)
            }
        }
        #expect(try await provider.contents(path: "file") == Data(bytes))
    }

    @Test("what a file looked like before its last byte was read confirms nothing")
    func changedBehindAShortAnswer() async throws {
        let (size, looks) = (60_000, Locked(0))
        let hasRead = Locked(false)
        let server = Server(greeting: Server.openSSH) { request in
            switch request.type {
            case .extended:
                let none = [UInt8](repeating: 0, count: 32)
                return .send(Server.packet(.extendedReply, Server.number(Int(request.id)) + none))
            case .open: return .send(Server.handle(request.id))
            case .read:
                hasRead.withLock { $0 = true }
                let count = request.body[13..<17].reduce(0) { $0 << 8 | Int($1) }
                return .send(Server.data(request.id, [UInt8](repeating: 7, count: (count + 1) / 2)))
            case .stat, .lstat, .fstat:
                // Another file from the second look after the first READ on.
                let look =
                    hasRead.withLock { $0 }
                    ? looks.withLock {
                        $0 += 1; return $0
                    } : 0
                return .send(Server.attributes(request.id, size: look > 1 ? size + 1 : size))
            default: return .send(Server.status(request.id, .ok))
            }
        }
        let file = try LocalFileHandle.temporary()
        await #expect {
            _ = try await SFTPFileProvider.scripted(server).read(
                path: "file", range: .all, into: file, at: 0,
                in: OperationContext(options: OperationOptions(expecting: FileVersion(size: Int64(size)))))
        } throws: {
            $0.isItemChanged
        }
        #expect(looks.withLock { $0 } > 1)
    }

    @Test(
        "some of OpenSSH's extensions do not make a server one whose LSTAT is believed (ProFTPD, asyncssh)",
        arguments: [
            [SFTPExtension.limits, .fsync, .posixRename, .hardlink, .statvfs, .homeDirectory],
            [.limits, .fsync, .posixRename, .hardlink, .statvfs, .lsetstat, .copyData],
        ])
    func followedLink(extensions: [SFTPExtension]) async throws {
        let asked = Locked<Set<PacketType>>([])
        let provider = SFTPFileProvider.scripted(
            Server(greeting: Server.version(offering: extensions)) { request in
                asked.withLock { _ = $0.insert(request.type) }
                switch request.type {
                // LSTAT follows the link to a directory, and the link itself cannot be removed.
                case .lstat: return .send(Server.attributes(request.id, size: 0, mode: 0o040755))
                case .readlink: return .send(Server.name(request.id, ["elsewhere"]))
                case .opendir: return .send(Server.handle(request.id))
                case .readdir: return .send(Server.status(request.id, .endOfFile))
                default: return .send(Server.status(request.id, .failure))
                }
            })
        await expect(.fileWriteUnknown) { try await provider.removeItem(path: "link") }
        #expect(asked.withLock { $0.isDisjoint(with: [.opendir, .rmdir]) })
    }

    @Test("what is another version than the expected one is not removed")
    func changedBeforeItsRemoval() async throws {
        let isRemoved = Locked(false)
        let provider = SFTPFileProvider.scripted(
            Server { request in
                if request.type == .remove { isRemoved.withLock { $0 = true } }
                return .send(
                    request.type == .lstat
                        ? Server.attributes(request.id, size: 5) : Server.status(request.id, .ok))
            })
        func remove(expecting size: Int64) async throws {
            let options = OperationOptions(expecting: FileVersion(size: size))
            _ = try await provider.run(.remove("file"), options: options)
        }
        await #expect {
            try await remove(expecting: 4)
        } throws: {
            $0.isItemChanged
        }
        #expect(!isRemoved.withLock { $0 })
        try await remove(expecting: 5)
        #expect(isRemoved.withLock { $0 })
    }

    // MARK: Scripts

    private func listing(_ reply: @escaping @Sendable (UInt32) -> [UInt8]) -> SFTPFileProvider {
        .scripted(
            Server { request in
                switch request.type {
                case .opendir: .send(Server.handle(request.id))
                case .readdir: .send(reply(request.id))
                default: .send(Server.status(request.id, .ok))
                }
            }, maximumEntries: 5_000)
    }

    private func reading(
        size: Int, answerTimeout: Double = 20, _ answer: @escaping @Sendable (Server.Request) -> Server.Action
    ) -> SFTPFileProvider {
        .scripted(
            Server { request in
                switch request.type {
                case .stat, .fstat: return .send(Server.attributes(request.id, size: size))
                case .open: return .send(Server.handle(request.id))
                case .read: return answer(request)
                default: return .send(Server.status(request.id, .ok))
                }
            }, answerTimeout: answerTimeout)
    }

    private func expect(_ code: URLError.Code, _ words: String, _ work: () async throws -> Void) async {
        do {
            try await work()
            Issue.record("it succeeded")
        } catch let error as URLError {
            #expect(error.code == code)
            #expect(error.localizedDescription.contains(words), "\(error.localizedDescription)")
            #expect(error.localizedDescription.contains("scripted.example"))
        } catch {
            Issue.record("another error: \(error)")
        }
    }

    private func expect(_ code: CocoaError.Code, _ work: () async throws -> Void) async {
        do {
            try await work()
            Issue.record("it succeeded")
        } catch {
            #expect((error as? CocoaError)?.code == code, "\(error)")
        }
    }
}
