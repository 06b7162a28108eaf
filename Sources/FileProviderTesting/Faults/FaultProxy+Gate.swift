import FileProviding
import Foundation

extension FaultProxy {
    /// A gate that holds bytes back until it is opened, once.
    public final class Gate: Sendable, Hashable {
        private struct State {
            var isReached = false
            var isOpen = false
        }

        private let state = Locked(State())
        private let reached = DispatchGroup()
        private let opened = DispatchGroup()

        /// Creates a closed gate.
        public init() {
            reached.enter()
            opened.enter()
        }

        deinit {
            // A group must not be released while it has been entered.
            open()
            reach()
        }

        /// Returns whether both are the same gate, whatever they hold.
        public static func == (one: Gate, other: Gate) -> Bool { one === other }

        /// Hashes the gate's identity, not what it holds.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

        /// Passes what is held, and everything that follows.
        public func open() {
            let isFirst = state.withLock { state in
                defer { state.isOpen = true }
                return !state.isOpen
            }
            if isFirst { opened.leave() }
        }

        /// Waits until something is held.
        public func whenReached() async { await reached.finished() }

        func pass() {
            reach()
            opened.wait()
        }

        private func reach() {
            let isFirst = state.withLock { state in
                defer { state.isReached = true }
                return !state.isReached
            }
            if isFirst { reached.leave() }
        }
    }
}

extension DispatchGroup {
    /// Waits without blocking a thread.
    func finished() async {
        await withCheckedContinuation { continuation in notify(queue: .global()) { continuation.resume() } }
    }
}
