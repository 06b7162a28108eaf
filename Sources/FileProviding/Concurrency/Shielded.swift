/// Runs work that is finished even if the current task is cancelled, before or meanwhile: tidying up, or a request that
/// cannot be taken back.
///
/// - Parameters:
///   - grace: how long it may go on once the current task is cancelled; then it is cancelled too.
///   - limit: how long it may take altogether.
package func shielded<Result: Sendable>(
    grace: Duration = .milliseconds(1500), limit: Duration? = nil, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    // Whoever has a limit cannot wait for a server's pause.
    let patience = limit == nil ? Patience.limit : .zero
    let task = Task { try await Patience.$limit.withValue(patience) { try await work() } }
    let timers = Locked<[Task<Void, any Error>]>([])
    @Sendable func cancel(after pause: Duration) {
        let timer = Task {
            try await Task.sleep(for: pause)
            task.cancel()
        }
        timers.withLock { $0.append(timer) }
    }
    if let limit { cancel(after: limit) }
    defer { for timer in timers.withLock({ $0 }) { timer.cancel() } }
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        cancel(after: grace)
    }
}

/// Tidies up behind a failure, even for a cancelled task; what cannot be done soon stays undone.
package func tidyingUp(_ work: @escaping @Sendable () async -> Void) async {
    try? await shielded(limit: .seconds(20), work)
}
