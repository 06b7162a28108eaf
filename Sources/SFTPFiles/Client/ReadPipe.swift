import FileProviding
import Foundation

/// A file ended before the requested bytes did.
struct ShortFile: Error {
    let expected: Int64
    let got: Int64
}

/// A file's bytes on their way from the connection's thread to the task that pulls them. When the reader is slow,
/// nothing more is requested from the server.
final class ReadPipe: ReadSink, Sendable {
    private struct State {
        var ready: [Data] = []
        var readyCount = 0
        var end: Result<Int64, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        /// Whether the connection's thread was asked to continue since it last requested data.
        var isRefilling = false
    }

    private let state = Locked(State())
    private let expected: Int64
    private let refill: @Sendable () -> Void

    /// - Parameters:
    ///   - expected: the number of bytes that there must be.
    ///   - refill: requests more, if there is room.
    init(expecting expected: Int64, refill: @escaping @Sendable () -> Void) {
        self.expected = expected
        self.refill = refill
    }

    // MARK: On the connection's thread

    var unused: Int {
        state.withLock { state in
            state.isRefilling = false
            return state.readyCount
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        let chunk = Data(bytes)
        let reader = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            if let reader = state.reader.take() { return reader }
            state.ready.append(chunk)
            state.readyCount += chunk.count
            return nil
        }
        reader?.resume(returning: chunk)
    }

    func didAdvance(to count: Int64) {}

    func finish(_ result: Result<Int64, any Error>) {
        let result = result.flatMap { count in
            count == expected ? .success(count) : .failure(ShortFile(expected: expected, got: count))
        }
        let reader = state.withLock { state in
            state.end = state.end ?? result
            return state.reader.take()
        }
        reader?.resume(with: result.map { _ in nil })
    }

    // MARK: In the reader's task

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (answer, asks) = state.withLock { state -> (Result<Data?, any Error>?, Bool) in
                    if Task.isCancelled { return (.failure(CancellationError()), false) }
                    if !state.ready.isEmpty {
                        let chunk = state.ready.removeFirst()
                        state.readyCount -= chunk.count
                        let asks = !state.isRefilling && state.end == nil
                        if asks { state.isRefilling = true }
                        return (.success(chunk), asks)
                    }
                    if let end = state.end { return (end.map { _ in nil }, false) }
                    state.reader = continuation
                    return (nil, false)
                }
                if asks { refill() }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(throwing: CancellationError())
        }
    }
}
