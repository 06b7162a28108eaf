import FileProviders

/// The results of the moves of one command.
struct MoveReport {
    /// Everything; what was copied counts as moved, since its source was removed.
    private(set) var all = TransferReport()
    /// Only what was copied, or `nil` if nothing had to be.
    private(set) var copies: TransferReport?

    /// Counts an item that its storage renamed.
    mutating func countRenamed() { all.moved += 1 }

    /// Counts an item whose target stays as it is.
    mutating func countSkipped() { all.skipped += 1 }

    /// Adds what was copied and removed from its source.
    ///
    /// - Parameter isWhole: whether this is the result of a run that came to its end.
    mutating func add(_ report: TransferReport, isWhole: Bool) {
        if isWhole { copies = copies?.adding(report) ?? report }
        var moves = report
        moves.moved += moves.copied
        moves.copied = 0
        all = all.adding(moves)
    }
}
