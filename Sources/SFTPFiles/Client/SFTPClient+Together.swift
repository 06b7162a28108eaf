import FileProviding

/// A large file is transferred over this connection and, as far as they are available, additional ones of the pool's.
/// Only this one's errors count: what a helper cannot transfer, this one does.
extension SFTPClient {
    /// Sends a local file.
    ///
    /// - Parameters:
    ///   - path: where the helpers open the file.
    ///   - onAcknowledged: called, on any thread and not always in order, with the number of bytes that the server
    ///     holds without a gap.
    /// - Returns: the number of bytes sent; fewer if the local file became shorter in the meantime.
    func writeTogether(
        _ slice: ByteStream.LocalFileSlice, to handle: [UInt8], of path: [UInt8], at start: Int64,
        onAcknowledged: @escaping @Sendable (Int64) -> Void
    ) async throws -> Int64 {
        let count = Int64(slice.range.count)
        let work = Piecework(start..<(start + count), reach: traits.reach) { onAcknowledged($0 - start) }
        do {
            try await carry(work, count, handle) { helper in
                try await helper.call(.open(path, .write)).handle()
            } by: { client, handle, waitsForAll, onEnd in
                let traits = client.traits
                let account = LaneAccount(
                    work, length: traits.writeLength, window: traits.window, waitsForAll: waitsForAll, onEnd: onEnd)
                return WriteLane(account, from: slice, at: start, to: handle, counter: client.counter)
            }
        } catch let short as ShortFile {
            return short.got
        }
        return count
    }

    /// Fetches a range of a file into an open local file, whose bytes are written in order.
    ///
    /// - Parameters:
    ///   - original: the server's attributes of the open file; helpers read only from a file with the same ones.
    ///   - path: where the helpers open the file.
    ///   - onAdvance: called, on any thread, with the number of bytes written.
    /// - Returns: the number of bytes fetched; fewer if the file on the server became shorter in the meantime.
    func readTogether(
        _ handle: [UInt8], _ range: Range<Int64>, of path: [UInt8], _ original: SFTPAttributes,
        into file: LocalFileHandle, at offset: Int64, onAdvance: @escaping @Sendable (Int64) -> Void
    ) async throws -> Int64 {
        // If the server is far away, the shared connection continues alongside its helpers: the distance limits each of
        // them, not the processors.
        let enough = traits.distance == .farAway ? Int.max : Piecework.processors
        let work = Piecework(range, reach: traits.reach, enough: enough)
        let file = OrderedFile(file, from: range.lowerBound, at: offset, onAdvance: onAdvance)
        let result: Result<Int64, any Error>
        do {
            try await carry(work, Int64(range.count), handle) { helper in
                try await helper.open(path, ifLike: original)
            } by: { client, handle, waitsForAll, onEnd in
                let traits = client.traits
                let account = LaneAccount(
                    work, length: traits.readLength, window: traits.readWindow, waitsForAll: waitsForAll, onEnd: onEnd)
                return ReadLane(account, from: handle, into: file, counter: client.counter)
            }
            result = .success(Int64(range.count))
        } catch let end as EndOfFile {
            result = .success(max(0, end.position - range.lowerBound))
        } catch {
            result = .failure(error)
        }
        await file.close()
        return try result.get()
    }

    /// Opens a file for reading, if it is the same that another connection has open, judging by size and time.
    private func open(_ path: [UInt8], ifLike original: SFTPAttributes) async throws -> [UInt8] {
        let handle = try await call(.open(path, .read)).handle()
        do {
            guard try await call(.fstat(handle)).attributes().isSameFile(as: original) else {
                throw CancellationError()
            }
            return handle
        } catch {
            forget(.close(handle))
            throw error
        }
    }

    /// Creates a connection's lane: from the client to use, the open file, whether it waits for all pieces, and the
    /// closure to call at its end.
    private typealias LaneMaker =
        @Sendable (SFTPClient, [UInt8], Bool, @escaping (Result<Void, any Error>) -> Void) -> any Lane

    private func carry(
        _ work: Piecework, _ count: Int64, _ handle: [UInt8],
        opening: @escaping @Sendable (SFTPClient) async throws -> [UInt8], by makeLane: @escaping LaneMaker
    ) async throws {
        defer { work.close() }
        try await withThrowingDiscardingTaskGroup { group in
            let helpers = pool.width(for: count, traits) - 1
            for _ in 0..<helpers {
                group.addTask {
                    await pool.withHelper(upTo: helpers) { connection, traits in
                        let helper = SFTPClient(connection: connection, traits: traits, counter: counter, pool: pool)
                        let handle = try await opening(helper)
                        defer { helper.forget(.close(handle)) }
                        try await helper.carry(work, handle, waitsForAll: false, makeLane)
                    }
                }
            }
            defer { group.cancelAll() }
            try await carry(work, handle, waitsForAll: true, makeLane)
        }
    }

    /// Transfers pieces over this connection.
    private func carry(
        _ work: Piecework, _ handle: [UInt8], waitsForAll: Bool, _ makeLane: @escaping LaneMaker
    ) async throws {
        let lane = OnThread<any Lane>()
        let mailbox = connection.mailbox
        work.onChange { mailbox.post { engine in lane.value?.fill(engine) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                mailbox.post { engine in
                    guard !lane.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                    let made = makeLane(self, handle, waitsForAll) { continuation.resume(with: $0) }
                    lane.value = made
                    made.fill(engine)
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
