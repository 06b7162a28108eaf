import FileProviding
import Foundation

/// A body on its way from the loop's thread to the task that pulls it.
///
/// Crossing to a task costs more than copying, so bytes are gathered in chunks of up to 512 KiB while the reader is
/// busy. One chunk waits here and one with the loop; then libcurl stops reading from the peer.
final class BodyPipe: ReplySink, @unchecked Sendable {  // `gathered` and `received` belong to the loop's thread.
    fileprivate struct State {
        var ready: Data?
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        /// Whether the loop holds bytes that did not fit here.
        var isFull = false
    }

    private static let chunkSize = 512 << 10

    private let state = Locked(State())
    private var gathered = Data()
    private var received: Int64 = 0
    private let url: URL
    private let limit: Int64?
    private let resume: @Sendable () -> Void
    private let cancel: @Sendable () -> Void

    /// - Parameters:
    ///   - resume: asks the loop to continue receiving.
    ///   - cancel: asks the loop to end the transfer.
    init(
        url: URL, limit: Int64?, resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
    ) {
        self.url = url
        self.limit = limit
        self.resume = resume
        self.cancel = cancel
    }

    /// Returns the body as a stream that can be read once. Dropping it, read or not, ends the transfer.
    func stream(length: Int64?) -> ByteStream {
        let reader = Locked<BodyReader?>(BodyReader(self))
        return ByteStream(length: length, isReplayable: false) {
            guard let reader = reader.withLock({ $0.take() }) else {
                throw cocoaError("reply", code: .fileReadUnknown, reason: "its bytes can be read only once")
            }
            return { try await reader.next() }
        }
    }

    // MARK: On the loop's thread

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if gathered.count + bytes.count > Self.chunkSize, !handOver() { return false }
        received += Int64(bytes.count)
        if let limit, received > limit { throw replyTooLarge(url, limit: limit) }
        if gathered.isEmpty { gathered.reserveCapacity(max(bytes.count, 128 << 10)) }
        gathered.append(contentsOf: bytes)
        return true
    }

    var isSatisfied: Bool { false }
    var body: ReplyBody { .stream(self) }
    func flush() { if !gathered.isEmpty { _ = handOver() } }

    func finish(_ error: (any Error)?) {
        let rest = gathered
        gathered = Data()
        let (reader, answer) = state.withLock {
            state -> (CheckedContinuation<Data?, any Error>?, Result<Data?, any Error>) in
            state.end = error.map { .failure($0) } ?? .success(())
            if !rest.isEmpty { state.ready = (state.ready ?? Data()) + rest }
            guard let reader = state.reader.take() else { return (nil, .success(nil)) }
            return (reader, state.ready.take().map { .success($0) } ?? state.ending)
        }
        reader?.resume(with: answer)
    }

    /// Hands the gathered bytes to the reader, or leaves them for its next turn. Returns `false` while the previous
    /// ones have not been taken.
    private func handOver() -> Bool {
        let chunk = gathered
        let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<Data?, any Error>?) in
            guard state.ready == nil else {
                state.isFull = true
                return (false, nil)
            }
            let reader = state.reader.take()
            if reader == nil { state.ready = chunk }
            return (true, reader)
        }
        if isTaken { gathered = Data() }
        reader?.resume(returning: chunk)
        return isTaken
    }

    // MARK: In the reader's task

    fileprivate func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (answer, wasFull) = state.withLock { state -> (Result<Data?, any Error>?, Bool) in
                    if Task.isCancelled { return (.failure(CancellationError()), false) }
                    if let chunk = state.ready.take() {
                        defer { state.isFull = false }
                        return (.success(chunk), state.isFull)
                    }
                    if state.end != nil { return (state.ending, false) }
                    state.reader = continuation
                    return (nil, false)
                }
                if wasFull { resume() }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            stop()
        }
    }

    fileprivate func stop() {
        let (reader, isOver) = state.withLock { ($0.reader.take(), $0.end != nil) }
        if !isOver { cancel() }
        reader?.resume(throwing: CancellationError())
    }
}

extension BodyPipe.State {
    /// What the reader receives when no bytes are left.
    fileprivate var ending: Result<Data?, any Error> {
        switch end {
        case .failure(let error): .failure(error)
        case .success, nil: .success(nil)
        }
    }
}

/// The reader's end of a pipe: when nobody holds it any more, the transfer is useless.
private final class BodyReader: Sendable {
    private let pipe: BodyPipe

    init(_ pipe: BodyPipe) { self.pipe = pipe }
    deinit { pipe.stop() }

    func next() async throws -> Data? { try await pipe.next() }
}
