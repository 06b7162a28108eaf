extension Optional {
    /// The value, leaving `nil` behind.
    package mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
