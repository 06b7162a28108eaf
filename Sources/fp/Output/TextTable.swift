/// Rows in aligned columns. The last column is not padded.
struct TextTable {
    /// Where a column's text stands.
    enum Alignment { case left, right }

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    init(_ alignments: [Alignment]) { self.alignments = alignments }

    /// Adds a row of as many cells as there are columns.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The rows with two spaces between columns; a column that is empty in every row is left out.
    var lines: [String] {
        let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let shown = alignments.indices.filter { widths[$0] > 0 }
        return rows.map { row in
            shown.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                if alignments[column] == .right { return padding + row[column] }
                return column == shown.last ? row[column] : row[column] + padding
            }.joined(separator: "  ")
        }
    }
}
