extension Issue {
    /// What can happen that a person has to know of.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// The vault's database was damaged and has been set aside, and with it every copy.
        case databaseRebuilt = "database-rebuilt"

        var choices: [Choice] {
            switch self {
            case .databaseRebuilt:
                [
                    Choice(
                        answer: .acknowledge,
                        consequence: "Nothing more is done: the damaged database and the copies stay where they are.")
                ]
            }
        }
    }
}
