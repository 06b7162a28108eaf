extension FileQuery {
    /// Returns the query prepared for many evaluations: texts are folded and patterns compiled once.
    public func matcher() -> Matcher {
        Matcher(self)
    }

    /// Returns whether the query matches one file. For many files, make a ``matcher()`` first.
    public func matches(_ subject: some FileQuerySubject) -> Bool {
        matcher().matches(subject)
    }

    /// An evaluator of a query, made by ``FileQuery/matcher()``.
    public struct Matcher: Sendable {
        private let root: Node

        init(_ query: FileQuery) {
            root = Node(query)
        }

        /// Returns whether the query matches this file.
        public func matches(_ subject: some FileQuerySubject) -> Bool {
            root.holds(for: subject)
        }
    }
}

/// The query's tree with a test at each leaf.
private indirect enum Node: Sendable {
    case constant(Bool)
    case absent(FileQuery.Key)
    case test(FileQuery.Key, FileQuery.Test)
    case every([Node])
    case any([Node])
    case not(Node)

    init(_ query: FileQuery) {
        switch query {
        case .all: self = .constant(true)
        case .nothing: self = .constant(false)
        case .comparison(let key, let relation, let value, let options):
            self = .test(key, FileQuery.Test(relation, value, options))
        case .absent(let key): self = .absent(key)
        case .in(let key, let values, let options): self = .test(key, FileQuery.Test(anyOf: values, options))
        case .between(let key, let low, let high):
            self = .every([
                .test(key, FileQuery.Test(.greaterOrEqual, low, [])),
                .test(key, FileQuery.Test(.lessOrEqual, high, [])),
            ])
        case .and(let operands): self = .every(operands.map(Node.init))
        case .or(let operands): self = .any(operands.map(Node.init))
        case .not(let operand): self = .not(Node(operand))
        }
    }

    func holds(for subject: some FileQuerySubject) -> Bool {
        switch self {
        case .constant(let result): result
        case .absent(let key): subject.queryValue(for: key) == nil
        case .test(let key, let test): test.holds(for: subject.queryValue(for: key))
        case .every(let operands): operands.allSatisfy { $0.holds(for: subject) }
        case .any(let operands): operands.contains { $0.holds(for: subject) }
        case .not(let operand): !operand.holds(for: subject)
        }
    }
}
