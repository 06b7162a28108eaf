import GRDB

/// The server's last answers about things that are not items.
extension ItemWriter {
    /// Stores an answer, replacing an earlier one.
    func keep(_ answer: some Encodable, about subject: String) throws {
        try execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", [subject, ItemRow.encoded(answer)])
    }
}

extension ItemReader {
    /// Returns the last answer; `nil` if there is none that can be decoded.
    func answer<Answer: Decodable>(about subject: String) throws -> Answer? {
        let kept = try String.fetchOne(
            database, sql: "SELECT answer FROM answers WHERE subject = ?", arguments: [subject])
        return kept.flatMap { try? ItemRow.value($0) }
    }
}
