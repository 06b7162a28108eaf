import FileProviding

/// How the way to the server stands, and finding out when it is better.
extension SyncEngine {
    /// The longest pause between two looks whether the server is there again, in seconds.
    private static let longestPause = 64

    /// Notes that an operation or a scan met this. Where only a person would help, a server that was there is asked once more:
    /// the operation may have begun before the person did.
    func note(_ failure: EventFailure) async {
        guard let status = failure.meaning.status else { return }
        if status.waitsForPerson, self.status == .online { return await reconnect() }
        await note(status, of: failure)
    }

    private func note(_ status: ConnectionStatus, of failure: EventFailure) async {
        let subject = failure.certificate.map { .certificate($0) } ?? failure.redirection.map(Issue.Subject.address)
        await note(status, failure.text, subject)
    }

    /// Notes how the way to the server stands. What a person has to see to becomes an issue, which goes when it is over.
    func note(_ status: ConnectionStatus, _ detail: String = "", _ subject: Issue.Subject? = nil) async {
        let isKnown = statusBoard.set(status) == status
        // What the issue is about may be found out later than that there is one.
        if isKnown, subject == nil || notedSubject == subject { return }
        notedSubject = subject
        do {
            try await vault.database.write { [statusBoard] writer in
                // Other news may have overtaken these, and be written down already.
                let present = statusBoard.status
                for other in ConnectionStatus.withIssues where other != present {
                    if let kind = other.issue { try writer.settle(Issue.ID(kind)) }
                }
                if present == status, let kind = status.issue { try writer.raise(Issue.ID(kind), detail, subject) }
            }
        } catch  where !error.isCancellation {
            logger.warning("an issue could not be kept", metadata: ["error": "\(error.localizedDescription)"])
        } catch {}  // Ended with the core's work; the next trouble raises it.
        if !isKnown, self.status == status { statusBoard.tell() }
        wake()
    }

    /// Asks the server now whether it is there, and lets commands go on if it is.
    func reconnect() async {
        // Whoever asks is told anew, although nothing has changed.
        if !status.allowsOperations { statusBoard.forget() }
        do {
            _ = try await connection.attributes(of: .root)
            await note(.online)
        } catch {
            let failure = EventFailure(error)
            if let status = failure.meaning.status { await note(status, of: failure) }
        }
    }

    /// How long to wait before the server is asked again; `nil` when that is not due, is awaited already, or is a person's
    /// to start: a wrong password that is tried again and again locks accounts.
    func nextProbe() -> Duration? {
        guard [.offline, .maintenance].contains(status) else {
            if status.allowsOperations { probes = 0 }
            return nil
        }
        guard !isProbing else { return nil }
        isProbing = true
        defer { probes += 1 }
        return .seconds(min(1 << min(probes, 16), Self.longestPause))
    }

    func probe(after pause: Duration) async {
        try? await clock.sleep(for: pause)
        isProbing = false
        if !Task.isCancelled, [.offline, .maintenance].contains(status) { await reconnect() }
        wake()
    }
}

extension ConnectionStatus {
    fileprivate static let withIssues = [maintenance, unauthenticated, untrusted, redirected]
}

extension Core {
    /// How the way to the server stands, as far as the last operation told.
    public var connectionStatus: ConnectionStatus { engine.status }

    /// How the way to the server stands, and every change of it from then on.
    public var connectionStatuses: AsyncStream<ConnectionStatus> { engine.statusBoard.statuses() }

    /// Asks the server now whether it is there, and lets commands go on if it is: after a network has come back, a
    /// credential was renewed or a certificate trusted. While the core runs, a server that was away is asked now and then
    /// without this.
    public func reconnect() async { await engine.reconnect() }
}
