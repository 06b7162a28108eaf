import FileProviding

/// Keeps the journal abreast of a file under way.
final class PartKeeper: Sendable {
    private struct State {
        var part: JournalPart
        var received: ReceivedRanges
        var noted: Int64 = 0
        var saved: Int64 = 0
        var interval: Int64 = .max
        var tick: AsyncStream<Void>.Continuation?
    }

    let upload: any ResumableUpload
    private let journal: TransferJournal
    private let savesRanges: Bool
    private let state: Locked<State>

    /// - Parameter savesRanges: whether the bytes arrive in several ranges, of which the destination knows nothing.
    init(
        upload: any ResumableUpload, journal: TransferJournal, part: JournalPart, received: ReceivedRanges,
        savesRanges: Bool
    ) {
        self.upload = upload
        self.journal = journal
        self.savesRanges = savesRanges
        var part = part
        part.isSequential = savesRanges && received.count == received.prefix
        state = Locked(State(part: part, received: received))
    }

    /// Says that from now on bytes arrive in several ranges at once.
    func divide() async throws {
        state.withLock { $0.part.isSequential = false }
        try await save(durably: true)
    }

    /// The bytes that have arrived.
    var received: ReceivedRanges { state.withLock { $0.received } }

    /// Says that these bytes have arrived. Quick; may come from any thread.
    ///
    /// - Returns: how many there are altogether.
    func insert(_ range: Range<Int64>) -> Int64 {
        let count = state.withLock { state in
            state.received.insert(range)
            return state.received.count
        }
        note(count)
        return count
    }

    /// Says how many bytes have arrived. Quick; may come from any thread.
    func note(_ count: Int64) {
        let tick = state.withLock { state -> AsyncStream<Void>.Continuation? in
            state.noted = max(state.noted, count)
            guard state.noted - state.saved >= state.interval else { return nil }
            state.saved = state.noted
            return state.tick
        }
        tick?.yield()
    }

    /// Does the work while the journal is written every so many bytes.
    func saving(every interval: Int64, _ work: @Sendable () async throws -> Void) async throws {
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.tick = tick
            state.interval = interval
            state.saved = state.received.count
        }
        async let saves: Void = saveRepeatedly(ticks)
        do {
            defer { tick.finish() }
            try await work()
        }
        try await saves
    }

    private func saveRepeatedly(_ ticks: AsyncStream<Void>) async throws {
        for await _ in ticks { try await save() }
    }

    /// Writes down how far the file is.
    func save(durably: Bool = false) async throws {
        // What arrives from here on is not yet on the medium when the destination says so.
        let received = received
        if savesRanges { try await upload.acknowledge(upTo: received.prefix) }
        // Not under the lock, for a local file has to ask the system. A part that cannot be kept is not continued by another
        // run; this one goes on.
        let taken = try? upload.saveState()
        let part = state.withLock { state in
            state.part.state = taken
            if savesRanges { state.part.received = received }
            return state.part
        }
        try journal.save(part, durably: durably)
    }

    /// Says that there is nothing to continue any more.
    func forget() throws {
        let part = state.withLock { state in
            state.part.state = nil
            state.part.received = nil
            return state.part
        }
        try journal.save(part)
    }
}
