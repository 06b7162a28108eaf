import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// What the OpenSSH client is told when it asks, with a shell in its place.
@Suite(.serialized) struct PasswordAnswerTests {
    /// The answers to the questions of a program that we started.
    private func answers(_ script: String, _ password: String = "gehéim \\n'") throws -> String {
        let answer = try PasswordAnswer(password)
        let child = try ChildProcess(LocalPath("/bin/sh"), ["-c", "exec 1>&2; \(script)"], adding: answer.variables)
        // The script exists only as long as this object.
        try withExtendedLifetime(answer) { try #require(child.exitStatus() == 0) }
        return child.said()
    }

    @Test("the password is given once, byte for byte; a second question has its end at once")
    func once() throws {
        let asks = #""$SSH_ASKPASS" "user@host's password: ""#
        #expect(try answers("\(asks); \(asks) || echo none") == "gehéim \\n'\nnone\n")
    }

    /// A program that is started while the script is written has it open, and nothing that is open for writing can be
    /// run.
    @Test("many passwords at once are all given")
    func together() async {
        let given = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    // Not the threads of tasks, of which there are as many as processors.
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let asks = #""$SSH_ASKPASS" "Password: ""#
                            let count = (0..<20).count { _ in (try? answers(asks, "secret")) == "secret\n" }
                            continuation.resume(returning: count)
                        }
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(given == 320)
    }

    @Test("other questions get no answer")
    func others() throws {
        #expect(try answers(#""$SSH_ASKPASS" "Enter passphrase for key: " || echo none"#) == "none\n")
    }

    private static let questions: [(question: String, isForPassword: Bool)] = [
        ("user@host's password: ", true), ("token@code.example's password: ", true), ("Password: ", true),
        ("(user@code.example) Password: ", true), ("One-time password (OATH) for `user': ", false),
        ("(user@host) One-time password (OATH) for `user': ", false), ("OTP Password: ", false),
        ("Verification code (not your password): ", false), ("Password from your token: ", false),
        ("(bob@host) Password for bob@newhost.example: ", true), ("Password for newman@freebsd:", true),
        ("(bob@host) Password for bob@hotpot: ", true), ("Your password, decoded: ", true),
        ("New password: ", false), ("One time password:", false), ("Passcode or password: ", false),
    ]

    @Test("a question for a one-time password is not one for the account's", arguments: questions)
    func oneTime(question: String, isForPassword: Bool) throws {
        #expect(KeyboardInteractive.isForPassword(question) == isForPassword)
        let asks = "\"$SSH_ASKPASS\" \"$question\" || echo none"
        let quoted = question.replacing("'", with: "'\\''")
        #expect(try answers("question='\(quoted)'; \(asks)", "secret") == (isForPassword ? "secret\n" : "none\n"))
    }

    @Test("an unusable folder is skipped and left clean; having no usable folder is an error")
    func folders() throws {
        let places = FileManager.default.temporaryDirectory.appending(path: "places-\(UInt32.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(at: places) }
        let (full, usable) = (places.appending(path: "full").path, places.appending(path: "usable").path)
        for place in [full, usable] {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        }
        let missing = places.appending(path: "missing").path
        let answer = try PasswordAnswer("secret", in: [missing, "/proc", usable])
        #expect(answer.variables["SSH_ASKPASS"]?.hasPrefix(usable) == true)
        #expect(throws: CocoaError.self) { try PasswordAnswer("secret", in: [missing, "/proc"]) }
        // More bytes than a pipe holds.
        let long = String(repeating: "secret", count: 100_000)
        #expect(throws: CocoaError.self) { try PasswordAnswer(long, in: [full]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: full) == [])
    }

    @Test("the client of a jump host, which our client starts, gets no answer")
    func jumpHost() throws {
        let asks = #""$SSH_ASKPASS" "user@jump's password: ""#
        #expect(try answers("(\(asks) || echo none)") == "none\n")
    }
}
