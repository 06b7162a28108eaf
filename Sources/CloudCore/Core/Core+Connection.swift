import FileProviding

/// The connection to the server, as its last answers showed it.
extension Core {
    /// Asks the server for something that is no command, unless only a person makes it possible that it answers: then that
    /// fails with what was met before. What it meets is noted as what commands meet.
    func asking<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        if let refusal = engine.statusBoard.refusal { throw refusal }
        do { return try await ask() } catch {
            let failure = EventFailure(error)
            // That it could not be reached, or told nothing sensible of this, commands find out for themselves.
            if let status = failure.meaning.status, status != .offline { await engine.noteOfOne(failure) }
            throw error
        }
    }

    /// The state of the connection to the server, as shown by the last operation.
    public var connectionStatus: ConnectionStatus { engine.status }

    /// The current state of the connection to the server, and every change of it from then on.
    public var connectionStatuses: AsyncStream<ConnectionStatus> { engine.statusBoard.statuses() }

    /// Checks now whether the server is available, and if it is, lets commands continue: for use after a network has
    /// come back, a credential was renewed or a certificate trusted. While the core runs, an unavailable server is also
    /// checked from time to time without this.
    public func reconnect() async { await engine.reconnect() }
}
