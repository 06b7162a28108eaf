import FileProviding
import Foundation

/// A range of a file that several connections transfer together: each takes the next piece when it has room, so that
/// none waits for another, and the pieces of a lost connection are taken by the others.
final class Piecework: Sendable {
    private struct State {
        var next: Int64
        /// Pieces that were given back.
        var returned: [Range<Int64>] = []
        /// The finished pieces after the first gap, by their start: where each ends.
        var done: [Int64: Int64] = [:]
        /// The position of the first gap: everything before it is done.
        var prefix: Int64
        /// How many bytes after the first gap a piece may begin.
        var reach: Int64
        /// The time and position when the first gap was last recorded.
        var milestone: (time: ContinuousClock.Instant, prefix: Int64)
        var isClosed = false
        /// The number of connections that transfer pieces.
        var lanes = 0
        /// Whether a connection was refused a piece because it is too far ahead.
        var isHeldUp = false
        var listeners: [@Sendable () -> Void] = []
    }

    /// The reach on a slow line: whatever is in flight is lost when the program is killed, and sent again.
    static let leastReach = 7 << 20
    /// The reach grows to the amount transferred in this time.
    private static let reachTime = Duration.milliseconds(100)

    /// The number of helpers that keep a machine busy if the line does not limit them.
    static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

    private let end: Int64
    private let mostReach: Int64
    private let enough: Int
    private let state: Locked<State>
    private let onPrefix: @Sendable (Int64) -> Void

    /// - Parameters:
    ///   - reach: how many bytes after the first gap a piece may begin, at most; the line has to be fast for more than
    ///     ``leastReach``.
    ///   - enough: the number of helpers that is enough without the shared connection.
    ///   - start: when the transfer begins.
    ///   - onPrefix: called with the position of the first gap; on any thread, not always in order.
    init(
        _ range: Range<Int64>, reach: Int,
        enough: Int = processors, from start: ContinuousClock.Instant = .now,
        onPrefix: @escaping @Sendable (Int64) -> Void = { _ in }
    ) {
        end = range.upperBound
        mostReach = Int64(reach)
        self.enough = enough
        state = Locked(
            State(
                next: range.lowerBound, prefix: range.lowerBound, reach: Int64(min(reach, Self.leastReach)),
                milestone: (start, range.lowerBound)))
        self.onPrefix = onPrefix
    }

    var isComplete: Bool { state.withLock { $0.prefix == end } }

    /// Whether no piece is left to take, unless one is given back.
    var isExhausted: Bool { state.withLock { $0.returned.isEmpty && $0.next == end } }

    /// Calls `action` whenever there may be a piece again, and when all are done.
    func onChange(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(action) } }

    /// Adds a connection that transfers pieces.
    func join() { state.withLock { $0.lanes += 1 } }

    /// Removes a connection: the others may take its share.
    func leave() {
        let listeners = state.withLock { state in
            state.lanes -= 1
            precondition(state.lanes >= 0, "a connection left that had not joined")
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// Returns the next piece; `nil` when all are taken, when the next one is too far ahead, or when the caller already
    /// has its share of the reach in flight: a connection that took more would leave nothing to the others.
    ///
    /// - Parameter helps: whether the caller is a helper. The connection that all share gets no more pieces when there
    ///   are enough helpers: over libssh2, which does not support AES-GCM, a byte takes several times the processor
    ///   time, on both sides.
    func take(upTo length: Int, having underWay: Int = 0, helps: Bool = true) -> Range<Int64>? {
        state.withLock { state in
            let hasEnough = state.lanes > enough
            let carriers = hasEnough ? state.lanes - 1 : max(1, state.lanes)
            guard !state.isClosed, underWay < Int(state.reach) / carriers else { return nil }
            if let piece = state.returned.popLast() { return piece }
            guard state.next < end, helps || !hasEnough else { return nil }
            guard state.next - state.prefix < state.reach else {
                state.isHeldUp = true
                return nil
            }
            let piece = state.next..<min(end, state.next + Int64(length))
            state.next = piece.upperBound
            return piece
        }
    }

    /// Records that the piece has been transferred.
    func finish(_ piece: Range<Int64>, at now: ContinuousClock.Instant = .now) {
        let (prefix, isClosed, listeners) = state.withLock { state -> (Int64, Bool, [@Sendable () -> Void]) in
            state.done[piece.lowerBound] = piece.upperBound
            let before = state.prefix
            while let end = state.done.removeValue(forKey: state.prefix) { state.prefix = end }
            widen(&state, at: now)
            guard state.prefix == end || state.isHeldUp && state.prefix > before else {
                return (state.prefix, state.isClosed, [])
            }
            state.isHeldUp = false
            return (state.prefix, state.isClosed, state.listeners)
        }
        guard !isClosed else { return }
        onPrefix(prefix)
        for listener in listeners { listener() }
    }

    private func widen(_ state: inout State, at now: ContinuousClock.Instant) {
        let time = now - state.milestone.time
        guard mostReach > Self.leastReach, time >= Self.reachTime else { return }
        let carried = Double(state.prefix - state.milestone.prefix) * (Self.reachTime / time)
        state.reach = min(mostReach, max(Int64(Self.leastReach), Int64(carried)))
        state.milestone = (now, state.prefix)
    }

    /// Returns a piece that could not be transferred.
    func giveBack(_ piece: Range<Int64>) {
        let listeners = state.withLock { state in
            state.returned.append(piece)
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// Gives up: nothing more can be taken, and no listener is called.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.listeners = []
        }
    }
}
