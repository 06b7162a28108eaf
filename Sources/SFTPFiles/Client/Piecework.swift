import FileProviding

/// A range of a file that several connections send together: each takes the next piece when it has room, so that none waits
/// for another, and what a lost connection had is taken by those that are left.
final class Piecework: Sendable {
    private struct State {
        var next: Int64
        /// Pieces that were given back.
        var returned: [Range<Int64>] = []
        /// Pieces that are done behind the first gap: where each begins and ends.
        var done: [Int64: Int64] = [:]
        /// Everything before it is done.
        var prefix: Int64
        var isClosed = false
        var onChange: (@Sendable () -> Void)?
    }

    private let end: Int64
    private let state: Locked<State>
    private let onPrefix: @Sendable (Int64) -> Void

    /// - Parameter onPrefix: told where the first gap is; by any thread, not always in order.
    init(_ range: Range<Int64>, onPrefix: @escaping @Sendable (Int64) -> Void) {
        end = range.upperBound
        state = Locked(State(next: range.lowerBound, prefix: range.lowerBound))
        self.onPrefix = onPrefix
    }

    var isComplete: Bool { state.withLock { $0.prefix == end } }

    /// Calls `action` whenever a piece was given back, and when all are done.
    func onChange(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = action } }

    /// The next piece, `nil` when all are taken.
    func take(upTo length: Int) -> Range<Int64>? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            if let piece = state.returned.popLast() { return piece }
            guard state.next < end else { return nil }
            let piece = state.next..<min(end, state.next + Int64(length))
            state.next = piece.upperBound
            return piece
        }
    }

    /// The server has the piece.
    func finish(_ piece: Range<Int64>) {
        let (prefix, isClosed, onChange) = state.withLock { state in
            state.done[piece.lowerBound] = piece.upperBound
            while let end = state.done.removeValue(forKey: state.prefix) { state.prefix = end }
            return (state.prefix, state.isClosed, state.onChange)
        }
        guard !isClosed else { return }
        onPrefix(prefix)
        if prefix == end { onChange?() }
    }

    /// Whoever took the piece could not send it.
    func giveBack(_ piece: Range<Int64>) {
        let onChange = state.withLock { state in
            state.returned.append(piece)
            return state.onChange
        }
        onChange?()
    }

    /// Gives up: nothing more can be taken, and nobody is told anything.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.onChange = nil
        }
    }
}
