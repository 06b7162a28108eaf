/// Called once when an operation has ended, with `nil` or with the error.
public typealias SimpleCompletionHandler = @Sendable (_ error: (any Error)?) -> Void

extension Result where Success: Sendable {
    /// The value or `nil`, and the error or `nil`.
    var parts: (value: Success?, error: Failure?) {
        switch self {
        case .success(let value): (value, nil)
        case .failure(let error): (nil, error)
        }
    }
}
