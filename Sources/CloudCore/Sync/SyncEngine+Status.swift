import FileProviding

/// The state of the connection to the server, and finding out when it improves.
extension SyncEngine {
    /// The longest pause between two checks of whether the server is available again, in seconds.
    private static let longestPauseOfProbes = 64

    /// Records a failure that an operation or a scan met. If only the user could help, a server that was available is
    /// checked once more: the operation may have begun before the user answered.
    func note(_ failure: EventFailure) async {
        guard let status = failure.meaning.status else { return }
        if status.needsUser, self.status == .online { return await reconnectOnce() }
        await note(status, of: failure)
    }

    /// Records the failure of a request about one thing. If it may concern only that item or the search index, the
    /// server itself is checked first.
    func noteOfOne(_ failure: EventFailure) async {
        if failure.meaning.mayBeAboutOneItem { await reconnectOnce() } else { await note(failure) }
    }

    /// Checks whether the server is available, with one request for all concurrent callers: a wrong password must not
    /// be sent once per caller.
    private func reconnectOnce() async {
        if let doubt { return await doubt.value }
        let look = Task { await reconnect() }
        doubt = look
        await look.value
        doubt = nil
    }

    private func note(_ status: ConnectionStatus, of failure: EventFailure) async {
        let subject = failure.certificate.map { .certificate($0) } ?? failure.redirection.map(Issue.Subject.address)
        await note(status, failure.text, subject, by: failure)
    }

    /// Records the state of the connection to the server. What the user has to resolve becomes an issue, which is
    /// removed when it is over.
    func note(
        _ status: ConnectionStatus, _ detail: String = "", _ subject: Issue.Subject? = nil,
        by failure: EventFailure? = nil
    ) async {
        let isKnown = statusBoard.set(status, by: failure) == status
        // What the issue is about may be found out later than that there is one.
        if isKnown, notedStatus == status, subject == nil || notedSubject == subject { return }
        (notedStatus, notedSubject) = (status, subject)
        do {
            try await vault.database.write { [statusBoard] writer in
                // Another state may have overtaken this one, and be recorded already.
                let present = statusBoard.status
                for other in ConnectionStatus.withIssues where other != present {
                    if let kind = other.issue { try writer.settle(Issue.ID(kind)) }
                }
                if present == status, let kind = status.issue { try writer.raise(Issue.ID(kind), detail, subject) }
            }
        } catch {
            // What is noted next is written again, even if it is known.
            if notedStatus == status { notedStatus = nil }
            if !error.isCancellation {
                logger.warning("an issue could not be kept", metadata: ["error": "\(error.localizedDescription)"])
            }
        }
        if !isKnown, self.status == status { statusBoard.tell() }
        wake()
    }

    /// Checks now whether the server is available, and if it is, lets commands continue. The result is reported again,
    /// although nothing may have changed.
    func reconnect() async {
        if !status.allowsOperations { statusBoard.forget() }
        await look()
    }

    /// Checks whether the server is available.
    func look() async {
        do {
            _ = try await connection.attributes(of: .root)
            await note(.online)
        } catch {
            let failure = EventFailure(error)
            if let status = failure.meaning.status {
                await note(status, of: failure)
            } else if failure.meaning.isAnswer, !status.allowsOperations {
                // It is there, although this account may not see its root.
                statusBoard.forget()
            }
        }
    }

    /// Returns how long to wait before the server is checked again; `nil` when that is not due, is awaited already, or
    /// is for the user to start: a wrong password that is tried again and again locks accounts.
    func nextProbe() -> Duration? {
        guard [.offline, .maintenance].contains(status) else {
            if status.allowsOperations { probes = 0 }
            return nil
        }
        guard !isProbing else { return nil }
        isProbing = true
        defer { probes += 1 }
        return .seconds(min(1 << min(probes, 16), Self.longestPauseOfProbes))
    }

    func probe(after pause: Duration) async {
        try? await clock.sleep(for: pause)
        isProbing = false
        if !Task.isCancelled, [.offline, .maintenance].contains(status) { await look() }
        wake()
    }
}

extension ConnectionStatus {
    fileprivate static let withIssues = [maintenance, unauthenticated, untrusted, redirected]
}
