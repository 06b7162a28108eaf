import FileProviding

/// An interaction with the user that records how long the answers took in total.
final class TimedInteraction: SSHInteraction {
    private let person: any SSHInteraction
    private let total = Locked(Duration.zero)

    init(_ person: any SSHInteraction) { self.person = person }

    /// How long the user's answers took so far.
    var waited: Duration { total.withLock { $0 } }

    func shouldTrust(_ key: SSHHostKey) async -> Bool { await measured { await person.shouldTrust(key) } }

    func answer(_ question: SSHQuestion) async -> String? { await measured { await person.answer(question) } }

    private func measured<Answer>(_ ask: () async -> Answer) async -> Answer {
        let start = ContinuousClock.now
        defer { total.withLock { $0 += .now - start } }
        return await ask()
    }
}
