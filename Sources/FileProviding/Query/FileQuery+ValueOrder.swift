extension FileQuery.Value {
    /// Compares this value with another: negative for before, zero for equal, positive for after; nil where there is no
    /// order (different types, Booleans, "not a number"). Text is compared elsewhere, because that depends on options.
    ///
    /// Whole numbers and fractions are compared by their exact values, even where a `Double` cannot represent the
    /// integer.
    func order(to other: Self) -> Int? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.decimal(let left), .decimal(let right)): left.isNaN || right.isNaN ? nil : Self.order(left, right)
        case (.integer(let left), .decimal(let right)): Self.order(left, right)
        case (.decimal(let left), .integer(let right)): Self.order(right, left).map { -$0 }
        case (.date(let left), .date(let right)):
            Self.decimal(left.timeIntervalSinceReferenceDate).order(to: .decimal(right.timeIntervalSinceReferenceDate))
        case (.bool(let left), .bool(let right)): left == right ? 0 : nil
        default: nil
        }
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    private static func order(_ left: Int64, _ right: Double) -> Int? {
        if right.isNaN { return nil }
        let floor = right.rounded(.down)
        // Int64.max has no Double; 2^63, the next one up, is the first that does not fit.
        if floor >= 0x1p63 { return -1 }
        if floor < -0x1p63 { return 1 }
        let whole = Int64(floor)
        if left != whole { return left < whole ? -1 : 1 }
        return right > floor ? -1 : 0
    }
}
