import FileProviding
import Testing

@testable import SFTPFiles

/// What the OpenSSH client is told when it asks, with a shell in its place.
@Suite struct PasswordAnswerTests {
    /// The answers to the questions of a program that we started.
    private func answers(_ script: String, _ password: String = "gehéim \\n'") throws -> String {
        let answer = try PasswordAnswer(password)
        let child = try ChildProcess(LocalPath("/bin/sh"), ["-c", "exec 1>&2; \(script)"], adding: answer.variables)
        #expect(child.exitStatus() == 0)
        return child.said()
    }

    @Test("the password is given once, byte for byte; a second question has its end at once")
    func once() throws {
        let asks = #""$SSH_ASKPASS" "user@host's password: ""#
        #expect(try answers("\(asks); \(asks) || echo none") == "gehéim \\n'\nnone\n")
    }

    @Test("other questions get no answer")
    func others() throws {
        #expect(try answers(#""$SSH_ASKPASS" "Enter passphrase for key: " || echo none"#) == "none\n")
    }

    @Test("the client of a jump host, which our client starts, gets no answer")
    func jumpHost() throws {
        let asks = #""$SSH_ASKPASS" "user@jump's password: ""#
        #expect(try answers("(\(asks) || echo none)") == "none\n")
    }
}
