extension FileQuery {
    /// Both hold. A chain of `&&` makes one flat ``and(_:)``.
    public static func && (left: Self, right: Self) -> Self {
        guard case .and(let operands) = left else { return .and([left, right]) }
        return .and(operands + [right])
    }

    /// At least one holds. A chain of `||` makes one flat ``or(_:)``.
    public static func || (left: Self, right: Self) -> Self {
        guard case .or(let operands) = left else { return .or([left, right]) }
        return .or(operands + [right])
    }

    /// Does not hold.
    public static prefix func ! (query: Self) -> Self {
        .not(query)
    }
}
