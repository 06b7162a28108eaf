/// Rows in aligned columns. The last column is not padded.
struct TextTable {
    private var columns: TextColumns
    private var rows: [[String]] = []

    init(_ alignments: [TextColumns.Alignment]) { columns = TextColumns(alignments) }

    /// Adds a row of as many cells as there are columns.
    mutating func add(_ cells: [String]) {
        columns.fit(cells)
        rows.append(cells)
    }

    /// The rows with two spaces between columns; a column that is empty in every row is left out.
    var lines: [String] { rows.map(columns.line) }
}

/// The columns of a table whose rows need not be stored: first all are measured, then each is written.
struct TextColumns {
    /// The alignment of a column's text.
    enum Alignment { case left, right }

    private let alignments: [Alignment]
    private var widths: [Int]

    init(_ alignments: [Alignment]) {
        self.alignments = alignments
        widths = alignments.map { _ in 0 }
    }

    /// Makes the columns wide enough for a row.
    mutating func fit(_ cells: [String]) {
        for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.count) }
    }

    /// Formats a row that was measured.
    func line(_ cells: [String]) -> String {
        let shown = alignments.indices.filter { widths[$0] > 0 }
        return shown.map { column in
            let padding = String(repeating: " ", count: widths[column] - cells[column].count)
            if alignments[column] == .right { return padding + cells[column] }
            return column == shown.last ? cells[column] : cells[column] + padding
        }.joined(separator: "  ")
    }
}
