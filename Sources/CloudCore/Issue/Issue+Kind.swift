extension Issue {
    /// The kinds of events that a user has to know of.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// All or most of the server's items are gone: it has been emptied or reinstalled.
        case itemsVanished = "items-vanished"
        /// The server is in an earlier state: it has been restored from a backup.
        case serverWentBack = "server-went-back"
        /// The vault's database was damaged and has been set aside, along with every copy.
        case databaseRebuilt = "database-rebuilt"
        /// Someone has put an older database back into the vault's folder, which has forgotten what was accepted since.
        case databaseWentBack = "database-went-back"
        /// The vault's disk is full.
        case storageFull = "storage-full"
        /// The vault's disk is not writable.
        case storageReadOnly = "storage-read-only"
        /// The vault's disk is failing.
        case storageFailing = "storage-failing"
        /// The vault's database is damaged; the next opening of the vault sets it aside and starts over.
        case databaseDamaged = "database-damaged"
        /// A file has been changed locally and on the server, or is new in both places under one name.
        case conflict = "conflict"
        /// Another item on the server has the name that a command needs, and is no file that an upload could replace.
        case nameTaken = "name-taken"
        /// A file that is to be removed has been changed on the server.
        case changedBeforeDeletion = "changed-before-deletion"
        /// The server refuses a command with contents that only the vault has.
        case commandFailed = "command-failed"
        /// The server has refused a command of an earlier run of the program, or one of the core's own, whose failure
        /// nobody else would learn of. No contents that only the vault had were lost with it.
        case commandRefused = "command-refused"
        /// The server does not accept the credential.
        case authenticationNeeded = "authentication-needed"
        /// The server's certificate is not trusted.
        case certificateUntrusted = "certificate-untrusted"
        /// The server reports that it has moved permanently.
        case redirected
        /// The server is in maintenance.
        case maintenance

        /// The kinds whose answer a command waits for.
        static let aboutCommands: [Kind] = [.conflict, .nameTaken, .changedBeforeDeletion, .commandFailed]

        /// Whether copies in the vault may be all that is left of what the server had.
        public var isAboutLosses: Bool { self == .itemsVanished || self == .serverWentBack }

        /// The possible answers.
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
            case .databaseWentBack:
                [Choice(answer: .acknowledge, consequence: "Nothing more is done: the copies stay where they are.")]
            case .commandRefused:
                [
                    Choice(
                        answer: .acknowledge,
                        consequence: "Nothing more is done: what the command was to change is as before.")
                ]
            case .conflict:
                [
                    Choice(answer: .keepBoth, consequence: "Your version is sent under a name with the date in it."),
                    Choice(answer: .replace, consequence: "Your version takes the place of the server's."),
                    Choice(
                        answer: .cancel,
                        consequence: "The server's version stays; yours is kept in the vault's recovery folder."),
                ]
            case .nameTaken:
                [
                    Choice(answer: .keepBoth, consequence: "Your item gets a name with the date in it."),
                    Choice(
                        answer: .cancel,
                        consequence:
                            "The change is taken back; contents that only you have are kept in the recovery folder."
                    ),
                ]
            case .changedBeforeDeletion:
                [
                    Choice(
                        answer: .replace, consequence: "It is removed as it is now, a folder with all that is in it."),
                    Choice(
                        answer: .cancel,
                        consequence:
                            "It comes back as it is on the server; an unsent edit with it, or it is in the recovery folder."
                    ),
                ]
            case .authenticationNeeded:
                [Choice(answer: .retry, consequence: "The server is asked again, with the credential there is then.")]
            case .certificateUntrusted:
                [
                    Choice(
                        answer: .trust,
                        consequence:
                            "This certificate is trusted for this server from now on: make sure that it is the server's own."
                    ),
                    Choice(answer: .retry, consequence: "The server is asked again."),
                    Choice(answer: .cancel, consequence: "Nothing is sent to the server."),
                ]
            case .redirected:
                [
                    Choice(
                        answer: .follow,
                        consequence: "The new address takes the old one's place; the credential is sent there."),
                    Choice(answer: .retry, consequence: "The old address is asked again."),
                    Choice(answer: .cancel, consequence: "Nothing is sent to either address."),
                ]
            case .maintenance:
                [
                    Choice(
                        answer: .retry, consequence: "The server is asked again now; otherwise that happens by itself.")
                ]
            case .commandFailed:
                [
                    Choice(answer: .retry, consequence: "It is tried again."),
                    Choice(
                        answer: .cancel, consequence: "It is given up; your contents are kept in the recovery folder."),
                ]
            }
        }
    }
}
