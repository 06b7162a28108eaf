import FileProviding
import Foundation

/// A range of a file that several connections carry together: each takes the next piece when it has room, so that none waits
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
        /// How many bytes behind the first gap a piece may begin.
        var reach: Int64
        /// When and where the first gap was looked at last.
        var milestone: (time: ContinuousClock.Instant, prefix: Int64)
        var isClosed = false
        /// How many connections carry pieces.
        var lanes = 0
        /// Whether somebody was refused a piece because it is too far ahead.
        var isHeldUp = false
        var listeners: [@Sendable () -> Void] = []
    }

    /// The reach of a slow line: what is under way is lost with a killed program, and sent again.
    static let leastReach = 7 << 20
    /// The reach grows to what is carried in so long.
    private static let reachTime = Duration.milliseconds(100)

    /// So many helpers keep a machine busy where the line does not.
    static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }

    private let end: Int64
    private let mostReach: Int64
    private let enough: Int
    private let state: Locked<State>
    private let onPrefix: @Sendable (Int64) -> Void

    /// - Parameters:
    ///   - reach: how many bytes behind the first gap a piece may begin, at most; the line has to be fast for more than
    ///     ``leastReach``.
    ///   - enough: so many helpers carry all that can be carried.
    ///   - start: when it begins.
    ///   - onPrefix: told where the first gap is; by any thread, not always in order.
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

    /// One more connection carries pieces.
    func join() { state.withLock { $0.lanes += 1 } }

    /// A connection carries no more pieces: the others may take its share.
    func leave() {
        let listeners = state.withLock { state in
            state.lanes -= 1
            precondition(state.lanes >= 0, "a connection left that had not joined")
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// The next piece, `nil` when all are taken, when the next one is too far ahead, or for who has its share of the reach
    /// under way: a connection that took more would leave nothing to the others.
    ///
    /// - Parameter helps: whether it is a helper that asks. The connection that all share has had its part when there are
    ///   enough helpers: over libssh2, which knows no AES-GCM, a byte takes several times the processor time, here and there.
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

    /// The piece is where it belongs.
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

    /// Whoever took the piece could not carry it.
    func giveBack(_ piece: Range<Int64>) {
        let listeners = state.withLock { state in
            state.returned.append(piece)
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// Gives up: nothing more can be taken, and nobody is told anything.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.listeners = []
        }
    }
}
