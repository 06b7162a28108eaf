import FileProviding

/// Limits how much one storage is asked to do at once, by all transfers together: the number of calls, and the number
/// of bytes in flight.
final class Pace: Sendable {
    /// The capacity that one copy occupies while it is running.
    struct Permit: Sendable {
        fileprivate let bytes: Int64
    }

    private struct Waiter {
        let number: Int
        let bytes: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var controller: PaceController
        var calls = 0
        var bytes: Int64 = 0
        var waiters: [Waiter] = []
        var nextNumber = 0
        var peak = 0
        var work: Double = 0
        var ended = 0
        var windowStart: ContinuousClock.Instant?

        func hasRoom(for bytes: Int64) -> Bool {
            calls < controller.limit && (calls == 0 || self.bytes + bytes <= Pace.byteLimit)
        }

        /// Takes capacity if nobody is waiting for it; returns whether it did.
        mutating func admit(_ bytes: Int64) -> Bool {
            guard waiters.isEmpty, hasRoom(for: bytes) else { return false }
            take(bytes)
            return true
        }

        mutating func take(_ bytes: Int64) {
            calls += 1
            self.bytes += bytes
            peak = max(peak, calls)
        }

        mutating func admitted() -> [Waiter] {
            var admitted: [Waiter] = []
            while let first = waiters.first, hasRoom(for: first.bytes) {
                take(first.bytes)
                admitted.append(waiters.removeFirst())
            }
            return admitted
        }
    }

    /// The most bytes in flight: a few large files, or many small ones.
    static let byteLimit: Int64 = 512 << 20
    /// The most bytes that one file counts for: four at once reach the limit.
    private static let largestShare: Int64 = 128 << 20
    /// The cost of a call in addition to its bytes, in bytes: small files are counted by the call.
    private static let callCost = Double(64 << 10)
    private static let shortestWindow = Duration.milliseconds(150)

    private let state: Locked<State>
    private let adapts: Bool

    /// - Parameter fixed: the number of calls, if it was chosen; otherwise it is determined, beginning at `start`.
    init(start: Int, fixed: Int? = nil) {
        adapts = fixed == nil
        state = Locked(State(controller: PaceController(start: fixed ?? start, range: 2...64)))
    }

    /// Waits for capacity. A cancelled task continues at once.
    func enter(bytes: Int64) async -> Permit {
        let share = min(max(0, bytes), Self.largestShare)
        guard !state.withLock({ $0.admit(share) }) else { return Permit(bytes: share) }
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAdmitted = state.withLock { state in
                    if state.admit(share) { return true }
                    if Task.isCancelled {
                        state.take(share)
                        return true
                    }
                    state.waiters.append(Waiter(number: number, bytes: share, continuation: continuation))
                    return false
                }
                if isAdmitted { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
                state.take(share)
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
        return Permit(bytes: share)
    }

    /// Gives capacity back, and records what was done with it.
    func leave(_ permit: Permit, moved: Int64) {
        let admitted = state.withLock { state in
            state.calls -= 1
            state.bytes -= permit.bytes
            state.work += Double(moved) + Self.callCost
            state.ended += 1
            if adapts { look(&state) }
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume() }
    }

    /// Records that the storage reported overload, or stopped answering.
    func noteOverload() {
        guard adapts else { return }
        state.withLock { $0.controller.noteOverload() }
    }

    private func look(_ state: inout State) {
        let now = ContinuousClock.now
        guard let start = state.windowStart else {
            state.windowStart = now
            state.work = 0
            state.ended = 0
            return
        }
        let duration = now - start
        guard duration >= Self.shortestWindow, state.ended >= state.controller.limit else { return }
        state.controller.note(
            rate: state.work / (duration / .seconds(1)), isSaturated: state.peak >= state.controller.limit)
        state.windowStart = now
        state.work = 0
        state.ended = 0
        state.peak = state.calls
    }
}
