import FileProviders

/// A transfer's status as a few lines for a terminal: the whole transfer in a bar, then the largest files being copied.
struct ProgressLines {
    /// The terminal's width in columns.
    let width: Int
    /// Whether to use color.
    let colored: Bool

    private static let longestFileList = 4

    /// Returns the lines, none wider than the terminal.
    func lines(_ status: TransferStatus, rate: Double?) -> [String] {
        let files = status.active.values.sorted { ($0.size ?? 0, $1.name) > ($1.size ?? 0, $0.name) }
        return [overall(status, rate)] + files.prefix(Self.longestFileList).map { file($0) }
    }

    private func overall(_ status: TransferStatus, _ rate: Double?) -> String {
        let done = status.bytes
        let total = max(status.foundBytes, done)
        let share = total > 0 ? Double(done) / Double(total) : 0
        var facts = "\(ByteCount.short(done)) of \(ByteCount.short(total))"
        if let rate {
            facts += "  \(ByteCount.short(Int64(rate)))/s"
            if rate >= 1, total > done { facts += "  \(Self.clock(Double(total - done) / rate)) left" }
        }
        facts += "  \(status.endedFiles) of \(Count.text(status.foundFiles, "file"))"
        let percent = Self.percent(share)
        let room = min(30, width - percent.count - facts.count - 5)
        guard room >= 5 else { return Self.cut("\(percent)  \(facts)", to: width) }
        let filled = Int(share * Double(room))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: room - filled)
        return "\(percent) [\(colored ? "\u{1B}[36m\(bar)\u{1B}[0m" : bar)]  \(facts)"
    }

    private func file(_ file: TransferStatus.Active) -> String {
        let state = file.progress.current
        let share = (file.size ?? state.total).map { $0 > 0 ? Double(state.completed) / Double($0) : 1 }
        let figures = share.map(Self.percent) ?? ByteCount.short(state.completed)
        let line = "\(figures)  " + Self.cutMiddle(file.name, to: max(0, width - figures.count - 3))
        return colored ? "\u{1B}[2m\(line)\u{1B}[0m" : line
    }

    private static func percent(_ share: Double) -> String {
        let text = "\(Int(min(1, share) * 100))%"
        return String(repeating: " ", count: 4 - text.count) + text
    }

    /// Returns `0:07`, `12:30`, `3:05:00`.
    static func clock(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 359_999).rounded(.up))
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    private static func cut(_ text: String, to width: Int) -> String { String(text.prefix(width)) }

    private static func cutMiddle(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        guard width > 3 else { return cut(text, to: width) }
        return String(text.prefix((width - 1) / 2)) + "…" + String(text.suffix(width - 1 - (width - 1) / 2))
    }
}
