import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// A server that requires several authentication methods in sequence.
@Suite(.enabled(if: TestServer("SSHSTEPS") != nil)) struct StepLoginTests {
    @Test(
        "a key and a password are given in the order in which the server wants them",
        arguments: ["password+publickey", "publickey+password"])
    func keyAndPassword(steps: String) async throws {
        #expect(try await provider(steps, "secret").attributesOfItem(path: .root).isDirectory)
    }

    @Test("the password is not the answer to a question for a one-time password")
    func oneTimePassword() async throws {
        let person = Person(answers: ["123456"])
        let provider = try provider("password+keyboard-interactive", "secret", person)
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        #expect(person.questions.map(\.text) == ["After the password\nOne-time password (OATH) for you: "])
    }

    @Test("keys are tried before a person is asked anything, although a password was given")
    func keyBeforeQuestions() async throws {
        let person = Person(answers: ["123456"])
        let provider = try provider("password/publickey/keyboard-interactive", "wrong", person)
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        #expect(person.questions.isEmpty)
    }

    @Test("the error names the methods that the server still requires")
    func lacking() async throws {
        for (steps, wanted) in [("publickey+password", "password"), ("password+keyboard-interactive", "keyboard")] {
            let provider = try provider(steps, steps.hasPrefix("password") ? "secret" : nil)
            let error = try await #require(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
            #expect(error.code == .userAuthenticationRequired)
            #expect(error.localizedDescription.contains("not enough"), "\(error.localizedDescription)")
            #expect(error.sshMethods?.first?.hasPrefix(wanted) == true)
        }
    }

    private func provider(_ steps: String, _ password: String?, _ person: Person? = nil) throws -> SFTPFileProvider {
        var configuration = try #require(TestServer("SSHSTEPS")).configuration(.libssh2)
        configuration.user = steps
        let credential = password.map { Credential.password(user: steps, password: $0) }
        return try SFTPFileProvider(configuration: configuration, credential: credential, interaction: person)
    }
}
