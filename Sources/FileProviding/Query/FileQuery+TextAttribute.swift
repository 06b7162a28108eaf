extension FileQuery.Attribute<String> {
    /// Matches text that equals this one, ignoring the differences that the options name. (`==` compares bytes.)
    public func equals(_ text: String, _ options: FileQuery.Options) -> FileQuery {
        .comparison(key, .equal, .string(text), options)
    }

    /// Matches text that equals one of these, ignoring the differences that the options name.
    public func isIn(_ texts: [String], _ options: FileQuery.Options) -> FileQuery {
        .in(key, texts.map(FileQuery.Value.string), options)
    }

    /// Matches text that starts with this one.
    public func beginsWith(_ text: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .beginsWith, .string(text), options)
    }

    /// Matches text that contains this one.
    public func contains(_ text: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .contains, .string(text), options)
    }

    /// Matches text that ends with this one.
    public func endsWith(_ text: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .endsWith, .string(text), options)
    }

    /// Matches text that fits a pattern as a whole: `*` matches any run, `?` one Unicode scalar, and `\` makes the next
    /// one literal.
    public func like(_ pattern: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .like, .string(pattern), options)
    }

    /// Matches text that fits an ICU regular expression as a whole; see ``FileQuery/Operator/matches``.
    ///
    /// - Throws: `CocoaError` if the pattern is not a regular expression.
    public func matches(_ pattern: String, _ options: FileQuery.Options = []) throws -> FileQuery {
        _ = try FileQuery.RegularExpression(pattern, options)
        return .comparison(key, .matches, .string(pattern), options)
    }
}
