import FileProviding

extension SFTPClient {
    /// Sends a local file over this connection and, as far as they can be had, further ones of the pool's. Only this one's
    /// errors count: what a helper cannot send, this one sends.
    ///
    /// - Parameters:
    ///   - path: where the helpers open the file.
    ///   - onAcknowledged: told, by any thread and not always in order, how many of the bytes the server holds without a gap.
    /// - Returns: how many bytes there were; fewer where the local file became shorter meanwhile.
    func writeTogether(
        _ slice: ByteStream.LocalFileSlice, to handle: [UInt8], of path: [UInt8], at start: Int64,
        onAcknowledged: @escaping @Sendable (Int64) -> Void
    ) async throws -> Int64 {
        let count = Int64(slice.range.count)
        let work = Piecework(start..<(start + count)) { onAcknowledged($0 - start) }
        defer { work.close() }
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 1..<pool.width(for: count, traits) {
                    group.addTask { await help(with: work, slice, of: path, at: start) }
                }
                defer { group.cancelAll() }
                try await carry(work, slice, to: handle, at: start, waitsForAll: true)
            }
        } catch let short as ShortFile {
            return short.got
        }
        return count
    }

    private func help(
        with work: Piecework, _ slice: ByteStream.LocalFileSlice, of path: [UInt8], at start: Int64
    ) async {
        await pool.withHelper { connection, traits in
            let helper = SFTPClient(connection: connection, traits: traits, counter: counter, pool: pool)
            let handle = try await helper.call(.open(path, .write)).handle()
            defer { helper.forget(.close(handle)) }
            try await helper.carry(work, slice, to: handle, at: start, waitsForAll: false)
        }
    }

    private func carry(
        _ work: Piecework, _ slice: ByteStream.LocalFileSlice, to handle: [UInt8], at start: Int64, waitsForAll: Bool
    ) async throws {
        let lane = OnThread<WriteLane>()
        let mailbox = connection.mailbox
        if waitsForAll {
            work.onChange { mailbox.post { engine in lane.value?.fill(engine) } }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                mailbox.post { engine in
                    guard !lane.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                    let writing = WriteLane(
                        work, from: slice, at: start, to: handle, traits: traits, counter: counter,
                        waitsForAll: waitsForAll
                    ) { continuation.resume(with: $0) }
                    lane.value = writing
                    writing.fill(engine)
                }
            }
        } onCancel: {
            mailbox.post { _ in
                lane.isCancelled = true
                lane.value?.stop()
            }
        }
    }
}
