extension Issue {
    /// What can happen that a person has to know of.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Everything that the server had is gone, or most of it: it has been emptied or installed anew.
        case itemsVanished = "items-vanished"
        /// The server is as it was at an earlier time: it has been restored from a backup.
        case serverWentBack = "server-went-back"
        /// The vault's database was damaged and has been set aside, and with it every copy.
        case databaseRebuilt = "database-rebuilt"
        /// The vault's own disk is full.
        case storageFull = "storage-full"
        /// The vault's own disk cannot be written to.
        case storageReadOnly = "storage-read-only"
        /// The vault's own disk fails.
        case storageFailing = "storage-failing"
        /// The vault's database is damaged; the next opening of the vault sets it aside and begins anew.
        case databaseDamaged = "database-damaged"

        /// What can be answered.
        public var choices: [Choice] {
            switch self {
            case .itemsVanished, .serverWentBack:
                [
                    Choice(
                        answer: .keepLocal,
                        consequence:
                            "Files with a copy here stay, as changes to be sent; the others are as on the server."
                    ),
                    Choice(
                        answer: .takeServer,
                        consequence:
                            "All is as on the server; copies of what it lost go to the vault's recovery folder."),
                ]
            case .storageFull, .storageReadOnly, .storageFailing, .databaseDamaged:
                [Choice(answer: .retry, consequence: "The server is asked again for what could not be kept.")]
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
