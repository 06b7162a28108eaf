import FileProviding

/// Runs `body`, but not longer than `duration`.
///
/// The work is a separate task that is cancelled but not awaited when its time is up: waiting would not end what hangs,
/// and a hanging provider should be reported by the case's name, not by a test run that never ends.
func withDeadline<Value: Sendable>(
    _ duration: Duration, _ what: String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Result<Value, any Error>>()
    let work = Task {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.set(result)
    }
    let timer = Task {
        guard (try? await Task.sleep(for: duration)) != nil else { return }
        outcome.set(.failure(ContractFailure("\(what): not done within \(duration)")))
    }
    let result = await withTaskCancellationHandler {
        await outcome.value
    } onCancel: {
        work.cancel()
    }
    timer.cancel()
    work.cancel()
    return try result.get()
}
