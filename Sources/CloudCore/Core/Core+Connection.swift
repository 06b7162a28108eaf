import FileProviding

/// The connection to the server, as shown by its latest replies.
extension Core {
    /// Sends a request that is not a command. While only the user can make the server answer, the recorded error is
    /// thrown without a request. Failures are recorded like those of commands.
    func asking<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        if let refusal = engine.statusBoard.refusal { throw refusal }
        do { return try await ask() } catch {
            let failure = EventFailure(error)
            // Offline and unusable replies are not recorded here: commands detect those themselves.
            if let status = failure.meaning.status, status != .offline { await engine.noteOfOne(failure) }
            throw error
        }
    }

    /// The state of the connection to the server, as shown by the latest operation.
    public var connectionStatus: ConnectionStatus { engine.status }

    /// The current state of the connection to the server, followed by every later change.
    public var connectionStatuses: AsyncStream<ConnectionStatus> { engine.statusBoard.statuses() }

    /// Checks now whether the server is available and, if so, lets commands continue. Call it when the network is back,
    /// a credential was renewed or a certificate was trusted. While the core runs, it also checks an unavailable server
    /// from time to time.
    public func reconnect() async { await engine.reconnect() }
}
