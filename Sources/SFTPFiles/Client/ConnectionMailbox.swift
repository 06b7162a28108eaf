import Dispatch
import FileProviding

/// Jobs from tasks for a connection, passed to its thread.
final class ConnectionMailbox: Sendable {
    /// A job for the connection's thread.
    typealias Job = @Sendable (SFTPEngine) -> Void

    private struct State {
        var jobs: [Job] = []
        var isClosed = false
        var users = 0
        /// Whether the connection closes itself because nobody has used it for a while.
        var isRetired = false
        var afterlife: Afterlife?
    }

    let waker: Waker
    private let state = Locked(State())

    init() throws { waker = try Waker() }

    /// Adds a job; jobs are done in the order in which they were added. After the end of the connection, its answers
    /// are errors.
    func post(_ job: @escaping Job) {
        let (isFirst, afterlife) = state.withLock { state -> (Bool, Afterlife?) in
            guard state.afterlife == nil else { return (false, state.afterlife) }
            state.jobs.append(job)
            return (state.jobs.count == 1, nil)
        }
        if isFirst { waker.wake() }
        afterlife?.run(job)
    }

    /// Removes and returns all jobs.
    func take() -> [Job] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Closes the mailbox: nobody needs the connection any more.
    func close() {
        state.withLock { $0.isClosed = true }
        waker.wake()
    }

    /// Begins a use: somebody has a file open, even if they make no requests at times. Returns `false` if the
    /// connection has begun to close itself.
    func beginUse() -> Bool {
        state.withLock { state in
            guard !state.isRetired else { return false }
            state.users += 1
            return true
        }
    }

    /// Ends a use.
    func endUse() { state.withLock { $0.users -= 1 } }

    /// Prevents new uses, unless somebody uses the connection or has just left a job; returns whether nobody does.
    func retire() -> Bool {
        state.withLock { state in
            state.isRetired = state.users == 0 && state.jobs.isEmpty
            return state.isRetired
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends the mailbox, because the thread is about to end: jobs added from now on are answered in its place.
    func end(_ engine: SFTPEngine) {
        let afterlife = Afterlife(engine)
        let late = state.withLock { state -> [Job] in
            state.afterlife = afterlife
            defer { state.jobs = [] }
            return state.jobs
        }
        late.forEach(afterlife.run)
    }
}

/// Answers jobs for an engine whose thread has ended.
private final class Afterlife: @unchecked Sendable {  // The engine is used on the serial queue alone.
    private let engine: SFTPEngine
    private let queue = DispatchQueue(label: "SFTP.ended")

    init(_ engine: SFTPEngine) { self.engine = engine }

    func run(_ job: @escaping ConnectionMailbox.Job) {
        queue.async { job(self.engine) }
    }
}
