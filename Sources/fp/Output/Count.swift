/// Converts numbers of things to text.
enum Count {
    /// Returns `1 file`, `2 files`.
    ///
    /// - Parameters:
    ///   - one: what follows a single thing's number.
    ///   - many: what follows any other; by default `one` with an `s`.
    static func text(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
    }
}
