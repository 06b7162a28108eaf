import FileProviders
import Foundation

/// The user's terminal: questions go to `/dev/tty`, whatever standard input and output are connected to.
final class Terminal {
    private let descriptor: Int32

    /// Opens the terminal of this process; `nil` when it has none.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Asks for a line of text.
    ///
    /// - Returns: the line without its end, or `nil` when the user ended the input.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func ask(_ question: String) throws -> String? {
        say(question)
        return try readLine()
    }

    /// Asks for a line that is not shown while it is typed.
    func askSecretly(_ question: String) throws -> String? {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return try ask(question) }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSADRAIN, &hidden)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &settings)
            say("\n")
        }
        return try ask(question)
    }

    /// Asks a question until the answer is yes or no; no answer is a no.
    func confirm(_ question: String) throws -> Bool {
        while let answer = try ask("\(question) (yes/no) ")?.lowercased() {
            if ["yes", "y"].contains(answer) { return true }
            if ["no", "n"].contains(answer) { return false }
        }
        return false
    }

    /// Writes a text to the terminal.
    func say(_ text: String) {
        var text = text
        _ = text.withUTF8 { Descriptor.send(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private func readLine() throws -> String? {
        var line: [UInt8] = []
        while true {
            try Task.checkCancellation()
            var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else {
                return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }
}
