import FileProviders

/// The results of the moves of one command.
struct MoveReport {
    /// Everything; what was copied counts as moved, since its source was removed.
    private(set) var all = TransferReport()
    /// Only what was copied, or `nil` if nothing had to be.
    private(set) var copies: TransferReport?
    /// The number of items that their storage renamed.
    private(set) var renamed = 0

    /// Counts an item that its storage renamed.
    mutating func countRenamed() {
        all.moved += 1
        renamed += 1
    }

    /// Counts an item whose target stays as it is.
    mutating func countSkipped() { all.skipped += 1 }

    /// The moves as a sentence, or `nil` if there is nothing to say: everything was renamed.
    ///
    /// - Parameters:
    ///   - refused: the number of sources that were not moved at all.
    ///   - isPlanned: whether this was a dry run.
    func summary(refused: Int, isPlanned: Bool) -> String? {
        guard copies != nil || all.skipped > 0 else { return nil }
        var copies = copies ?? TransferReport()
        copies.skipped = all.skipped
        return TransferLines.summary(
            copies, verb: isPlanned ? "to move" : "moved", renamed: renamed, refused: refused, isPlanned: isPlanned)
    }

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
