/// A broken promise: what was expected, what came instead, and which line of the contract requires it.
public struct ContractFailure: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let message: String
    /// The file of the expectation.
    public let file: StaticString
    /// The line of the expectation.
    public let line: UInt

    /// Creates a failure.
    public init(_ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.message = message
        self.file = file
        self.line = line
    }

    /// The message and its location.
    public var description: String { "\(message) [\(file):\(line)]" }
}
