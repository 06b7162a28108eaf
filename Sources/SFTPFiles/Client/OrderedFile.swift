import FileProviding

/// Pieces of a file that arrive in any order and are written into a local file in order: what a crash leaves has no
/// gaps.
final class OrderedFile: Sendable {
    private struct State {
        /// The start of the next piece to write.
        var next: Int64
        /// The pieces that arrived before their turn, by their start.
        var held: [Int64: [UInt8]] = [:]
        /// Whether a thread is writing; it also writes what arrives in the meantime.
        var isBeingWritten = false
        var failure: (any Error)?
        /// The continuation that waits for the last write to end.
        var closer: CheckedContinuation<Void, Never>?
    }

    private let file: LocalFileHandle
    private let shift: Int64
    private let onAdvance: @Sendable (Int64) -> Void
    private let state: Locked<State>

    /// - Parameters:
    ///   - start: the start of the first piece.
    ///   - offset: where in the local file its first byte goes.
    ///   - onAdvance: called with the number of bytes written, in order.
    init(_ file: LocalFileHandle, from start: Int64, at offset: Int64, onAdvance: @escaping @Sendable (Int64) -> Void) {
        self.file = file
        shift = offset - start
        self.onAdvance = { onAdvance($0 - start) }
        state = Locked(State(next: start))
    }

    /// Accepts a piece, and writes all pieces whose turn it is; any thread may call.
    ///
    /// - Throws: the write error, every time once one occurred.
    func take(_ bytes: [UInt8], at position: Int64) throws {
        let isWriter = try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.held[position] = bytes
            defer { state.isBeingWritten = true }
            return !state.isBeingWritten
        }
        guard isWriter else { return }
        while let (bytes, position) = next() {
            do {
                try bytes.withUnsafeBytes { try file.write($0, at: position + shift) }
            } catch {
                fail(error)
                continue
            }
            onAdvance(position + Int64(bytes.count))
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Closes the file: nothing is written any more once this returns.
    func close() async {
        fail(CancellationError())
        await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                if state.isBeingWritten { state.closer = continuation }
                return !state.isBeingWritten
            }
            if isQuiet { continuation.resume() }
        }
    }

    private func fail(_ error: any Error) {
        state.withLock { state in
            state.failure = state.failure ?? error
            state.held = [:]
        }
    }

    /// Returns the piece whose turn it is, for the thread that writes; none ends its writing.
    private func next() -> (bytes: [UInt8], position: Int64)? {
        let (piece, closer) = state.withLock {
            state -> ((bytes: [UInt8], position: Int64)?, CheckedContinuation<Void, Never>?) in
            let position = state.next
            guard let bytes = state.held.removeValue(forKey: position) else {
                state.isBeingWritten = false
                return (nil, state.closer.take())
            }
            state.next += Int64(bytes.count)
            return ((bytes, position), nil)
        }
        closer?.resume()
        return piece
    }
}
