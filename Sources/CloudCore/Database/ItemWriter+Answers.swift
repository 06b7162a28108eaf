import GRDB

/// What the server last said of things that are no items.
extension ItemWriter {
    /// Keeps an answer in the place of an earlier one.
    func keep(_ answer: some Encodable, about subject: String) throws {
        try execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", [subject, ItemRow.encoded(answer)])
    }
}

extension ItemReader {
    /// The last answer; `nil` where there is none that can be read.
    func answer<Answer: Decodable>(about subject: String) throws -> Answer? {
        let kept = try String.fetchOne(
            database, sql: "SELECT answer FROM answers WHERE subject = ?", arguments: [subject])
        return kept.flatMap { try? ItemRow.value($0) }
    }
}
