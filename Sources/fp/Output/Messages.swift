import Foundation

/// What is said beside the data, on standard error: errors, notices, questions.
struct Messages {
    /// The subcommand that speaks.
    var command: String
    /// Whether only errors are said.
    var isQuiet = false

    /// One line about what failed: `fp: ls: where: why; remedy`.
    func error(_ error: any Error, at place: String? = nil) {
        say("fp: \(command): \(ErrorText.line(error, at: place))")
    }

    /// One line about something that is no failure.
    func notice(_ text: String) {
        if !isQuiet { say("fp: \(command): \(text)") }
    }

    /// A line as it is.
    func say(_ line: String) { Self.write(line + "\n") }

    /// Text for standard error; nobody is told when that fails.
    static func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { Descriptor.send(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }
}
