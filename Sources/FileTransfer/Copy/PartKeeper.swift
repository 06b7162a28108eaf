import FileProviding

/// Keeps the journal up to date about a file being copied.
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
    /// Held while the journal is written: what was recorded later must not be replaced by what was taken earlier.
    private let writing = Locked(())

    /// - Parameter savesRanges: whether the bytes arrive in several ranges, which the destination does not know about.
    init(
        upload: any ResumableUpload, journal: TransferJournal, part: JournalPart, received: ReceivedRanges,
        savesRanges: Bool
    ) {
        self.upload = upload
        self.journal = journal
        self.savesRanges = savesRanges
        var part = part
        // Not if the file is longer: an earlier attempt that wrote several ranges at once left a hole, or bytes that
        // were not recorded.
        let size = (try? upload.localFile?.size()) ?? 0
        part.isSequential = savesRanges && received.count == received.prefix && size <= received.prefix
        state = Locked(State(part: part, received: received))
    }

    /// Records that from now on bytes arrive in several ranges at once.
    func divide() async throws {
        state.withLock { $0.part.isSequential = false }
        try await save(durably: true)
    }

    /// The bytes that have arrived.
    var received: ReceivedRanges { state.withLock { $0.received } }

    /// Records that these bytes have arrived. Fast; may be called from any thread.
    ///
    /// - Returns: how many have arrived in total.
    func insert(_ range: Range<Int64>) -> Int64 {
        let count = state.withLock { state in
            state.received.insert(range)
            return state.received.count
        }
        note(count)
        return count
    }

    /// Records how many bytes have arrived. Fast; may be called from any thread.
    func note(_ count: Int64) {
        let tick = state.withLock { state -> AsyncStream<Void>.Continuation? in
            state.noted = max(state.noted, count)
            guard state.noted - state.saved >= state.interval else { return nil }
            state.saved = state.noted
            return state.tick
        }
        tick?.yield()
    }

    /// Runs the work, and writes the journal each time `interval` bytes have arrived.
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

    /// Writes the file's state to the journal.
    ///
    /// - Parameter durably: whether it has to be there. If one of the saves in between cannot be written, as on a full
    ///   disk, another run has more to send again, but this one goes on.
    func save(durably: Bool = false) async throws {
        // What arrives from here on may not be on the medium yet when the destination acknowledges it.
        let received = received
        if savesRanges { try await upload.acknowledge(upTo: received.prefix) }
        // Not under the state's lock, which is taken for each piece that arrives. If the state cannot be saved, another
        // run cannot continue the file, but this one does.
        try writing.withLock { _ in
            let taken = try? upload.saveState()
            let part = state.withLock { state in
                state.part.state = taken
                // A later save may have been faster.
                if savesRanges, received.count >= state.part.received?.count ?? 0 { state.part.received = received }
                return state.part
            }
            do { try journal.save(part, durably: durably) } catch  where !durably {}
        }
    }

    /// Records that there is nothing to continue any more.
    func forget() throws {
        let part = state.withLock { state in
            state.part.state = nil
            state.part.received = nil
            return state.part
        }
        try journal.save(part)
    }
}
