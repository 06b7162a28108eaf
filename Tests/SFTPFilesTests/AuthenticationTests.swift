import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Who is let in, and what those who are not are told.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct AuthenticationTests {
    private let server: TestServer
    private static let both: [SSHConfiguration.Transport] = [.libssh2, .openssh]

    init() throws { server = try #require(TestServer("SSHD")) }

    @Test("a locked key is opened with its passphrase, after wrong ones")
    func passphrase() async throws {
        let provider = try provider(.libssh2, key: "id_locked")
        let person = Person(answers: ["wrong", "secret"])
        provider.session.interaction = person
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        #expect(person.questions.map(\.kind) == [.passphrase, .passphrase])
        #expect(person.questions.allSatisfy { $0.text.contains("id_locked") && !$0.echoes })
    }

    @Test("a wrong passphrase is one error that says so")
    func wrongPassphrase() async throws {
        let provider = try provider(.libssh2, key: "id_locked")
        provider.session.interaction = Person(answers: ["wrong", "worse", "worst", "secret"])
        await expectRefused("wrong passphrase") { _ = try await provider.attributesOfItem(path: .root) }
    }

    @Test("a passphrase that a person does not give is not a wrong one")
    func noAnswer() async throws {
        let provider = try provider(.libssh2, key: "id_locked")
        provider.session.interaction = Person(answers: [])
        await expectRefused("needs its passphrase") { _ = try await provider.attributesOfItem(path: .root) }
    }

    @Test("a locked key without anybody to ask is one error", arguments: both)
    func nobodyToAsk(transport: SSHConfiguration.Transport) async throws {
        let provider = try provider(transport, key: "id_locked")
        await expectRefused(transport == .libssh2 ? "needs its passphrase" : "Permission denied") {
            _ = try await provider.attributesOfItem(path: .root)
        }
    }

    @Test("a stranger's key is refused, and what the server takes is told", arguments: both)
    func stranger(transport: SSHConfiguration.Transport) async throws {
        let provider = try provider(transport, key: "id_stranger")
        let error = await expectRefused("publickey") { _ = try await provider.attributesOfItem(path: .root) }
        #expect(error?.sshMethods == ["publickey"])
    }

    @Test("an agent with the key lets in, one without it does not", arguments: both)
    func agent(transport: SSHConfiguration.Transport) async throws {
        try await server.withAgent(holding: "id_stranger", "id_ed25519") { agent in
            let provider = try provider(transport, agent: agent)
            #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        }
        try await server.withAgent(holding: "id_stranger") { agent in
            let provider = try provider(transport, agent: agent)
            await expectRefused(transport == .libssh2 ? "agent's 1 keys" : "Permission denied") {
                _ = try await provider.attributesOfItem(path: .root)
            }
        }
    }

    @Test("an RSA key works by the OpenSSH client, and libssh2 alone says what it cannot do")
    func rsa() async throws {
        let whole = try provider(.automatic, key: "id_rsa")
        #expect(try await whole.attributesOfItem(path: .root).isDirectory)
        let bare = try provider(.libssh2, key: "id_rsa")
        await expectRefused("only the OpenSSH client") { _ = try await bare.attributesOfItem(path: .root) }
    }

    @Test("a password lets in, a wrong one does not", .enabled(if: TestServer("RCLONESFTP") != nil), arguments: both)
    func password(transport: SSHConfiguration.Transport) async throws {
        var configuration = try #require(TestServer("RCLONESFTP")).configuration(transport)
        configuration.ssh.keys = []
        let right = Credential.password(user: "tester", password: "secret")
        let provider = try SFTPFileProvider(configuration: configuration, credential: right)
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        let wrong = try SFTPFileProvider(
            configuration: configuration, credential: .password(user: "tester", password: "Geheimnis!"))
        let error = await expectRefused("password") { _ = try await wrong.attributesOfItem(path: .root) }
        #expect(error.map { "\($0) \($0.userInfo)".contains("Geheimnis") } == false)
    }

    @Test(
        "a password that was given comes before keys, about which somebody would be asked",
        .enabled(if: TestServer("RCLONESFTP") != nil), arguments: both)
    func passwordFirst(transport: SSHConfiguration.Transport) async throws {
        var configuration = try #require(TestServer("RCLONESFTP")).configuration(transport)
        configuration.ssh.keys = [server.keys.appending("id_locked")]
        let person = Person(answers: [])
        let provider = try SFTPFileProvider(
            configuration: configuration, credential: TestServer.credential, interaction: person)
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        #expect(person.questions.isEmpty)
    }

    @Test("a packet may take longer than the server may be silent, as long as its bytes arrive")
    func slowPacket() async throws {
        let direct = try server.provider(.libssh2)
        let path = ItemPath.root.appending(ItemName(unchecked: Array("slow-\(UUID())".utf8)))
        try await direct.write(path: path, from: ByteStream(Data(count: 8_000)))
        let proxy = try FaultProxy(to: server.port) { _ in
            FaultProxy.Faults(toClient: [.trickle(bytesPerSecond: 2_000)])
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.answerTimeout = 1.5
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        #expect(try await provider.contents(path: path).count == 8_000)
        try await direct.removeItem(path: path)
    }

    @Test(
        "a server without the sftp subsystem is one error", .enabled(if: TestServer("SSHBARE") != nil), arguments: both)
    func bare(transport: SSHConfiguration.Transport) async throws {
        let provider = try #require(TestServer("SSHBARE")).provider(transport)
        let error = try await #require(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
        #expect(error.code == .badServerResponse && error.localizedDescription.contains("sftp subsystem"))
    }

    @Test(
        "names that would be taken for options or commands are refused",
        arguments: ["-oProxyCommand=x", "a b", "$(x)", "a;b"])
    func names(name: String) throws {
        #expect(throws: URLError.self) {
            try SFTPFileProvider(configuration: SFTPConfiguration(host: name), credential: nil)
        }
        #expect(throws: URLError.self) {
            try SFTPFileProvider(configuration: SFTPConfiguration(host: "host", user: name), credential: nil)
        }
    }

    @Test("a connection that is cut in mid-file is one error, and the next operation connects again")
    func cut() async throws {
        let direct = try server.provider(.libssh2)
        let name = ItemName(unchecked: Array("cut-\(UUID())".utf8))
        let path = ItemPath.root.appending(name)
        try await direct.write(path: path, from: ByteStream(Data(count: 3 << 20)))
        let proxy = try FaultProxy(to: server.port) { connection in
            connection == 0 ? FaultProxy.Faults(toClient: [.reset(after: 1 << 20)]) : FaultProxy.Faults()
        }
        defer { proxy.stop() }
        let (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        await #expect(throws: URLError.self) { try await provider.contents(path: path) }
        #expect(try await provider.contents(path: path).count == 3 << 20)
        try await direct.removeItem(path: path)
    }

    @Test("who may be asked by the OpenSSH client has time to answer it")
    func asksFirst() async throws {
        let program = LocalPath(FileManager.default.temporaryDirectory.appending(path: "ssh-\(UUID())"))!
        defer { try? PrivateFile.remove(program) }
        // As long as a person takes, longer than the server may.
        let script = "#!/bin/sh\ncase $1 in -G) ;; *) sleep 8 ;; esac\nexec /usr/bin/ssh \"$@\"\n"
        try PrivateFile.replace(program, with: Data(script.utf8))
        _ = program.withCString { chmod($0, 0o700) }
        var configuration = try server.configuration(.openssh)
        configuration.ssh.program = program
        configuration.ssh.answerTimeout = 6
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil, interaction: Person())
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
    }

    @Test(
        "a connection that is cut while somebody logs in says nothing of their password",
        .enabled(if: TestServer("RCLONESFTP") != nil))
    func cutLogin() async throws {
        let server = try #require(TestServer("RCLONESFTP"))
        // From the keys' exchange to the channel's opening.
        for cut in stride(from: 800, to: 1_040, by: 10) {
            let proxy = try FaultProxy(to: server.port) { _ in FaultProxy.Faults(toClient: [.cut(after: cut)]) }
            defer { proxy.stop() }
            var (configuration, known) = try server.configuration(through: proxy.port)
            defer { try? PrivateFile.remove(known) }
            configuration.ssh.keys = []
            let provider = try SFTPFileProvider(configuration: configuration, credential: TestServer.credential)
            let error = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
            #expect(error?.code == .networkConnectionLost, "cut behind \(cut) bytes: \(error as Any)")
        }
    }

    // MARK: Arranging

    private func provider(
        _ transport: SSHConfiguration.Transport, key: String? = nil, agent: LocalPath? = nil
    ) throws -> SFTPFileProvider {
        var configuration = try server.configuration(transport)
        configuration.ssh.keys = key.map { [server.keys.appending($0.utf8)] }
        configuration.ssh.usesAgent = agent != nil
        configuration.ssh.agent = agent
        if agent != nil { configuration.ssh.programArguments += ["-o", "IdentityFile=none"] }
        return try SFTPFileProvider(configuration: configuration, credential: nil)
    }

    @discardableResult
    private func expectRefused(_ words: String, _ work: () async throws -> Void) async -> URLError? {
        do {
            try await work()
            Issue.record("it succeeded")
        } catch {
            #expect((error as? URLError)?.code == .userAuthenticationRequired, "\(error)")
            #expect(error.localizedDescription.contains(words), "\(error.localizedDescription)")
            return error as? URLError
        }
        return nil
    }
}
