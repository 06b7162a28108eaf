import CSSH2
import Foundation

/// Answers the server's questions (RFC 4256): the password answers the question for one, everything else is put to the
/// user.
final class KeyboardInteractive {
    private var password: String?
    private let interaction: (any SSHInteraction)?

    init(password: String?, interaction: (any SSHInteraction)?) {
        self.password = password
        self.interaction = interaction
    }

    /// Answers the questions in one of the server's messages.
    func answer(
        _ prompts: UnsafeBufferPointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>, under instruction: UnsafeBufferPointer<CChar>,
        into responses: UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>
    ) {
        let preface = text(instruction.baseAddress, instruction.count)
        for (index, prompt) in prompts.enumerated() {
            let question = text(prompt.text, Int(prompt.length))
            let answer = answer(question, under: preface, echoes: prompt.echo != 0)
            // libssh2 frees it.
            responses[index].text = strdup(answer)
            responses[index].length = UInt32(answer.utf8.count)
        }
    }

    private func answer(_ question: String, under preface: String, echoes: Bool) -> String {
        if !echoes, Self.isForPassword(question), let password = password.take() { return password }
        guard let interaction else { return "" }
        let text = preface.isEmpty ? question : "\(preface)\n\(question)"
        let asked = SSHQuestion(.challenge, text: text, echoes: echoes)
        return waitFor { await interaction.answer(asked) } ?? ""
    }

    /// Words that show that a prompt asks for something other than the account's password.
    private static let otherWords: Set<Substring> = [
        "onetime", "otp", "hotp", "totp", "oath", "token", "verification", "code", "passcode", "new",
    ]

    /// Returns whether a prompt asks for the account's password, not for a one-time password or a new password.
    static func isForPassword(_ question: String) -> Bool {
        // User and host names are ignored.
        let said = question.lowercased().split(whereSeparator: \.isWhitespace).filter { !$0.contains("@") }
        let words = said.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
        return words.contains("password") && otherWords.isDisjoint(with: words)
            && !zip(words, words.dropFirst()).contains { $0 == "one" && $1 == "time" }
    }
}

/// Returns a text that a server wants to be displayed, without characters that would move a terminal's cursor.
private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let bytes, count > 0 else { return "" }
    let raw = UnsafeRawBufferPointer(start: bytes, count: count)
    let scalars = String(decoding: raw, as: UTF8.self).unicodeScalars.filter {
        ($0.value >= 0x20 && $0.value != 0x7F) || $0 == "\n"
    }
    return String(String.UnicodeScalarView(scalars))
}
