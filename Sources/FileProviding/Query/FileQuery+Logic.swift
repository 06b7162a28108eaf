extension FileQuery {
    /// Matches files that match both queries. A chain of `&&` makes one flat ``and(_:)``.
    public static func && (left: Self, right: Self) -> Self {
        guard case .and(let operands) = left else { return .and([left, right]) }
        return .and(operands + [right])
    }

    /// Matches files that match at least one of the queries. A chain of `||` makes one flat ``or(_:)``.
    public static func || (left: Self, right: Self) -> Self {
        guard case .or(let operands) = left else { return .or([left, right]) }
        return .or(operands + [right])
    }

    /// Matches files that do not match the query.
    public static prefix func ! (query: Self) -> Self {
        .not(query)
    }
}
