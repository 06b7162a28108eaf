extension Optional {
    /// Returns the value and leaves `nil` in its place.
    package mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
