import FileProviding

/// Decides which items are included, by gitignore-like patterns. The first rule that matches decides. Items that match
/// no rule are included, unless all rules are inclusions and at least one is not an exception.
///
/// A pattern without a slash matches a name at any depth; one with a slash matches from the source's root. `*` and `?`
/// do not match slashes; `**` does if it is a whole path component. `[a-z]` is a set and `[[:digit:]]` a class within a
/// set. A trailing slash matches only directories.
///
/// Excluding a directory excludes everything below it. If all rules are inclusions, an included directory includes
/// everything below it. Patterns and names are compared as bytes.
public struct TransferFilter: Sendable, Hashable {
    /// A pattern and its effect.
    public struct Rule: Sendable, Hashable {
        /// Whether matching items are included.
        public var includes: Bool
        /// The pattern's bytes, since names need not be UTF-8.
        public var pattern: [UInt8]
        /// Whether an inclusion is only an exception from later rules, and excludes nothing by itself.
        public var isException: Bool

        /// Creates a rule from a pattern in UTF-8.
        public init(includes: Bool, pattern: String, isException: Bool = false) {
            self.init(includes: includes, pattern: Array(pattern.utf8), isException: isException)
        }

        /// Creates a rule.
        public init(includes: Bool, pattern: [UInt8], isException: Bool = false) {
            self.includes = includes
            self.pattern = pattern
            self.isException = isException
        }
    }

    /// The rules in order.
    public var rules: [Rule] { didSet { patterns = Self.patterns(of: rules) } }
    private var patterns: [GlobPattern]

    /// Creates a filter from rules in order.
    public init(_ rules: [Rule] = []) {
        self.rules = rules
        patterns = Self.patterns(of: rules)
    }

    private static func patterns(of rules: [Rule]) -> [GlobPattern] { rules.map { GlobPattern($0.pattern) } }

    /// Returns whether the item at `path`, relative to the source, is included.
    public func includes(_ path: ItemPath, isDirectory: Bool) -> Bool {
        if let match = patterns.firstIndex(where: { $0.matches(path, isDirectory: isDirectory) }) {
            return rules[match].includes
        }
        // If there are only inclusions, items that none of them matches are excluded; directories are still walked to
        // find matches.
        guard !isDirectory, rules.allSatisfy(\.includes), rules.contains(where: { !$0.isException }) else {
            return true
        }
        return sequence(first: path, next: \.parent).dropFirst().prefix { !$0.isRoot }.contains { directory in
            patterns.contains { $0.matches(directory, isDirectory: true) }
        }
    }
}

extension TransferFilter {
    /// Returns whether the item and every directory above it, relative to the source, are included.
    func reaches(_ path: ItemPath, isDirectory: Bool) -> Bool {
        var (next, isDirectory): (ItemPath?, Bool) = (path, isDirectory)
        while let path = next, !path.isRoot {
            guard includes(path, isDirectory: isDirectory) else { return false }
            (next, isDirectory) = (path.parent, true)
        }
        return true
    }
}
