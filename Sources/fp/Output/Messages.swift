import Foundation

/// Messages, on standard error: errors, notices, questions.
struct Messages {
    /// The subcommand that writes the messages.
    var command: String
    /// Whether only errors are written.
    var isQuiet = false

    /// Writes one line about what failed: `fp: ls: where: why; remedy`.
    func error(_ error: any Error, at place: String? = nil) {
        say("fp: \(command): \(ErrorText.line(error, at: place))")
    }

    /// Writes one line about something that is not a failure.
    func notice(_ text: String) {
        if !isQuiet { say("fp: \(command): \(text)") }
    }

    /// Writes a line unchanged.
    func say(_ line: String) { Self.write(line + "\n") }

    /// Writes text to standard error; a failure to do so is ignored.
    static func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { Descriptor.send(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }
}
