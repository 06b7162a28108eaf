import FileProviding
import Foundation

/// A request's bytes that a task pulls from a stream and the loop's thread consumes, with at most 1 MiB between them.
///
/// The stream is not touched before libcurl asks for the first byte, so that a request refused by its head alone leaves
/// a stream that can be read only once unread.
final class PumpedSource: UploadSource {
    fileprivate struct State {
        var chunks: [Data] = []
        var waiting = 0
        var isWanted = false
        var isStarving = false
        var end: Result<Void, any Error>?
        var isClosed = false
        var pump: CheckedContinuation<Bool, Never>?
        var wake: (@Sendable () -> Void)?

        var hasRoom: Bool { isWanted && waiting < PumpedSource.capacity }
    }

    fileprivate static let capacity = 1 << 20

    private let stream: ByteStream
    private let state = Locked(State())

    init(_ stream: ByteStream) { self.stream = stream }

    var length: Int64? { stream.length }

    /// Whether bytes of the stream have been requested.
    var isStarted: Bool { state.withLock { $0.isWanted } }

    /// Sets the closure that notifies the loop of bytes it waits for.
    func attach(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    /// Pulls the stream until it or the transfer ends. An error of the stream ends the transfer.
    func pump() async {
        do {
            guard await room() else { return }
            var total: Int64 = 0
            // One chunk is held back: a stream that turns out to be too long must not complete the request.
            var held: Data?
            for try await chunk in stream {
                total += Int64(chunk.count)
                if let length, total > length { throw sourceGoesOn() }
                if let ready = held, !(await push(ready)) { return }
                held = chunk
            }
            try Task.checkCancellation()
            if let length, total < length { throw sourceEndedEarly() }
            if let held { _ = await push(held) }
            finish(.success(()))
        } catch {
            finish(.failure(error))
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let (count, pump) = try state.withLock { state -> (Int?, CheckedContinuation<Bool, Never>?) in
            state.isWanted = true
            let count = state.take(into: buffer)
            if count == 0 {
                switch state.end {
                case .success: return (0, nil)
                case .failure(let error): throw error
                case nil: state.isStarving = true
                }
            }
            return (count == 0 ? nil : count, state.hasRoom ? state.pump.take() : nil)
        }
        pump?.resume(returning: true)
        return count
    }

    func rewind() -> Bool { !isStarted }

    func close() {
        let pump = state.withLock { state in
            state.isClosed = true
            state.wake = nil
            return state.pump.take()
        }
        pump?.resume(returning: false)
    }

    private func push(_ chunk: Data) async -> Bool {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            state.chunks.append(chunk)
            state.waiting += chunk.count
            return state.stopStarving()
        }
        wake?()
        return await room()
    }

    private func finish(_ end: Result<Void, any Error>) {
        let wake = state.withLock { state in
            state.end = end
            return state.stopStarving()
        }
        wake?()
    }

    /// Waits until there is room for a chunk. Returns `false` when the transfer is over or the task was cancelled.
    private func room() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.isClosed || Task.isCancelled { return false }
                    if state.hasRoom { return true }
                    state.pump = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.pump.take() }?.resume(returning: false)
        }
    }
}

extension PumpedSource.State {
    fileprivate mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        var emptied = 0
        while done < buffer.count, emptied < chunks.count {
            let chunk = chunks[emptied]
            let part = chunk.prefix(buffer.count - done)
            part.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
            done += part.count
            if part.count == chunk.count { emptied += 1 } else { chunks[emptied] = chunk.dropFirst(part.count) }
        }
        chunks.removeFirst(emptied)
        waiting -= done
        return done
    }

    fileprivate mutating func stopStarving() -> (@Sendable () -> Void)? {
        guard isStarving else { return nil }
        isStarving = false
        return wake
    }
}

private func sourceGoesOn() -> CocoaError {
    cocoaError("the source", code: .fileWriteUnknown, reason: "it is longer than announced")
}
