import Foundation

/// The last lines of the terminal, redrawn repeatedly and removed at the end. Used by one task at a time.
struct StatusArea {
    private var height = 0
    private var lastDraw: ContinuousClock.Instant?
    private static let interval = Duration.milliseconds(100)

    /// Returns whether it can be drawn at all: standard error is a terminal that supports cursor movements.
    static func isPossible(_ environment: Environment) -> Bool {
        isatty(STDERR_FILENO) == 1 && environment["TERM"] != nil && environment["TERM"] != "dumb"
    }

    /// The terminal's width in columns.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns whether enough time has passed since the last drawing.
    func isDue(at time: ContinuousClock.Instant) -> Bool { lastDraw.map { time - $0 >= Self.interval } ?? true }

    /// Replaces the drawn lines.
    mutating func draw(_ lines: [String], at time: ContinuousClock.Instant) {
        // Without wrapping: a wide character takes two columns, and a line that goes on in the next would stay.
        Messages.write(erasure + "\u{1B}[?7l" + lines.joined(separator: "\n") + "\n\u{1B}[?7h")
        height = lines.count
        lastDraw = time
    }

    /// Removes everything, so that a message can be written or the program can end.
    mutating func clear() {
        guard height > 0 else { return }
        Messages.write(erasure)
        height = 0
        lastDraw = nil
    }

    private var erasure: String { height > 0 ? "\u{1B}[\(height)A\r\u{1B}[J" : "" }
}
