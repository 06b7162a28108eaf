import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Whose key a host shows: known, unknown, changed, revoked.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct HostKeyTests {
    private let server: TestServer
    private let folder: LocalPath
    private let url: URL

    init() throws {
        server = try #require(TestServer("SSHD"))
        url = FileManager.default.temporaryDirectory.appending(path: "host-keys-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = LocalPath(url)!
    }

    @Test(
        "an unknown host is refused with its fingerprint",
        arguments: [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func unknown(transport: SSHConfiguration.Transport) async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(transport, knownHosts: "")
        await expectUntrusted(["known"] + (transport == .libssh2 ? [try fingerprint("host_ed25519")] : [])) {
            _ = try await provider.attributesOfItem(path: .root)
        }
    }

    @Test("a host that the person knows is remembered, and its name is not written down")
    func firstContact() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(.libssh2, knownHosts: "# mine")
        // As those have it who keep their settings elsewhere.
        let kept = folder.appending("kept")
        try FileManager.default.moveItem(atPath: file.description, toPath: kept.description)
        try FileManager.default.createSymbolicLink(atPath: file.description, withDestinationPath: "kept")
        let person = Person(trusts: true)
        provider.session.interaction = person
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        let shown = try fingerprint("host_ed25519")
        #expect(person.keys.map(\.fingerprint) == [shown])
        let text = String(decoding: try #require(try PrivateFile.read(kept)), as: UTF8.self)
        #expect(text.hasPrefix("# mine\n|1|") && !text.contains("127.0.0.1"))
        let again = try SFTPFileProvider(configuration: provider.configuration, credential: nil)
        #expect(try await again.attributesOfItem(path: .root).isDirectory)
    }

    @Test("a person may take longer to know a host than the host to let somebody in")
    func thoughtful() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        var configuration = try provider(.libssh2, knownHosts: "").configuration
        // Hundreds of tests and their servers may share one processor, so allow more time.
        configuration.ssh.connectTimeout = 30
        let provider = try SFTPFileProvider(
            configuration: configuration, credential: nil, interaction: Person(trusts: true, thinking: .seconds(31)))
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
    }

    @Test("a person's no refuses the host, and nothing is remembered")
    func distrusted() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(.libssh2, knownHosts: "")
        provider.session.interaction = Person(trusts: false)
        await expectUntrusted(["not known"]) { _ = try await provider.attributesOfItem(path: .root) }
        let kept = try PrivateFile.read(file)
        #expect(kept?.isEmpty == true)
    }

    @Test(
        "a changed key is refused with both fingerprints",
        arguments: [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func changed(transport: SSHConfiguration.Transport) async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(transport, knownHosts: line("id_stranger"))
        provider.session.interaction = transport == .libssh2 ? Person(trusts: true) : nil
        await expectUntrusted(["changed", try fingerprint("host_ed25519"), try fingerprint("id_stranger")]) {
            _ = try await provider.attributesOfItem(path: .root)
        }
    }

    @Test("a revoked key is refused, even of a known host")
    func revoked() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(.libssh2, knownHosts: line("host_ed25519") + "@revoked " + line("host_ed25519"))
        await expectUntrusted(["revoked"]) { _ = try await provider.attributesOfItem(path: .root) }
    }

    @Test("an authority is not taken for the host's own key")
    func authority() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(.libssh2, knownHosts: "@cert-authority " + line("host_ed25519"))
        await expectUntrusted(["authority", "OpenSSH client"]) { _ = try await provider.attributesOfItem(path: .root) }
    }

    @Test("the kind of key that is known is the one that is asked for")
    func otherKind() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let provider = try provider(.libssh2, knownHosts: line("host_ecdsa"))
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
    }

    @Test("a host of which only the RSA key is known is no other one: the OpenSSH client asks for that key")
    func onlyRSAKnown() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let known = try provider(.automatic, knownHosts: line("host_rsa"))
        #expect(try await known.attributesOfItem(path: .root).isDirectory)
        let alone = try provider(.libssh2, knownHosts: line("host_rsa"))
        await expectUntrusted(["libssh2 cannot ask", "OpenSSH client", try fingerprint("host_rsa")]) {
            _ = try await alone.attributesOfItem(path: .root)
        }
        // Another RSA key than the host's: the OpenSSH client refuses it.
        let stranger = try provider(.automatic, knownHosts: line("id_rsa"))
        await expectUntrusted(["changed"]) { _ = try await stranger.attributesOfItem(path: .root) }
    }

    @Test(
        "a host whose only key is RSA is reached by the OpenSSH client, or by a clear error",
        .enabled(if: TestServer("SSHRSA") != nil))
    func rsa() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let server = try #require(TestServer("SSHRSA"))
        #expect(try await server.provider(.automatic).attributesOfItem(path: .root).isDirectory)
        let error = try await #require(throws: URLError.self) {
            try await server.provider(.libssh2).attributesOfItem(path: .root)
        }
        #expect(error.localizedDescription.contains("RSA"))
        var configuration = try server.configuration(.automatic)
        configuration.ssh.program = LocalPath("/nonexistent/ssh")
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let other = try await #require(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
        #expect(other.localizedDescription.contains("install the OpenSSH client"))
    }

    // MARK: Arranging

    private var file: LocalPath { folder.appending("known_hosts") }

    private func provider(_ transport: SSHConfiguration.Transport, knownHosts: String) throws -> SFTPFileProvider {
        try PrivateFile.replace(file, with: Data(knownHosts.utf8))
        var configuration = try server.configuration(transport)
        configuration.ssh.knownHosts = [file]
        return try SFTPFileProvider(configuration: configuration, credential: nil)
    }

    private func publicKey(_ name: String) throws -> (algorithm: Substring, base64: Substring) {
        let data = try #require(try PrivateFile.read(server.keys.appending("\(name).pub")))
        let words = String(decoding: data, as: UTF8.self).split(separator: " ")
        return (words[0], words[1])
    }

    private func line(_ name: String) throws -> String {
        let key = try publicKey(name)
        return "[127.0.0.1]:\(server.port) \(key.algorithm) \(key.base64)\n"
    }

    private func fingerprint(_ name: String) throws -> String {
        let key = try publicKey(name)
        return SSHHostKey.fingerprint(of: Array(try #require(Data(base64Encoded: String(key.base64)))))
    }

    private func expectUntrusted(_ words: [String], _ work: () async throws -> Void) async {
        do {
            try await work()
            Issue.record("it succeeded")
        } catch {
            #expect((error as? URLError)?.code == .serverCertificateUntrusted, "\(error)")
            for word in words { #expect(error.localizedDescription.contains(word), "\(error.localizedDescription)") }
        }
    }
}

/// Answers as told, and remembers what was asked.
final class Person: SSHInteraction {
    private let trusts: Bool
    private let thinking: Duration
    private let answers: Locked<[String]>
    private let asked = Locked<(keys: [SSHHostKey], questions: [SSHQuestion])>(([], []))

    init(trusts: Bool = false, thinking: Duration = .zero, answers: [String] = []) {
        self.trusts = trusts
        self.thinking = thinking
        self.answers = Locked(answers)
    }

    var keys: [SSHHostKey] { asked.withLock { $0.keys } }
    var questions: [SSHQuestion] { asked.withLock { $0.questions } }

    func shouldTrust(_ key: SSHHostKey) async -> Bool {
        asked.withLock { $0.keys.append(key) }
        try? await Task.sleep(for: thinking)
        return trusts
    }

    func answer(_ question: SSHQuestion) async -> String? {
        asked.withLock { $0.questions.append(question) }
        return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
