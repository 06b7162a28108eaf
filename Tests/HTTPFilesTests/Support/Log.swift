import FileProviding

/// Collects values from any thread.
final class Log<Value: Sendable>: Sendable {
    private let state = Locked<[Value]>([])
    var values: [Value] { state.withLock { $0 } }
    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
