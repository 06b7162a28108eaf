extension FileQuery.Attribute<String> {
    /// Equal, overlooking what the options say. (`==` compares bytes.)
    public func equals(_ text: String, _ options: FileQuery.Options) -> FileQuery {
        .comparison(key, .equal, .string(text), options)
    }

    /// Equal to one of the texts, overlooking what the options say.
    public func isIn(_ texts: [String], _ options: FileQuery.Options) -> FileQuery {
        .in(key, texts.map(FileQuery.Value.string), options)
    }

    /// Starts with the text.
    public func beginsWith(_ text: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .beginsWith, .string(text), options)
    }

    /// Has the text somewhere.
    public func contains(_ text: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .contains, .string(text), options)
    }

    /// Ends with the text.
    public func endsWith(_ text: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .endsWith, .string(text), options)
    }

    /// Fits a pattern as a whole: `*` is any run, `?` one Unicode scalar, `\` takes the next one literally.
    public func like(_ pattern: String, _ options: FileQuery.Options = []) -> FileQuery {
        .comparison(key, .like, .string(pattern), options)
    }

    /// Fits an ICU regular expression as a whole; see ``FileQuery/Operator/matches``.
    ///
    /// - Throws: `CocoaError` if the pattern is not a regular expression.
    public func matches(_ pattern: String, _ options: FileQuery.Options = []) throws -> FileQuery {
        _ = try FileQuery.RegularExpression(pattern, options)
        return .comparison(key, .matches, .string(pattern), options)
    }
}
