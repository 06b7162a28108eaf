extension FileQuery {
    /// One comparison, prepared for evaluation.
    enum Test: Sendable {
        case text(TextTest)
        case order(Operator, Value)
        case anyOf([Value])

        init(_ relation: Operator, _ value: Value, _ options: Options) {
            if case .string(let text) = value {
                self = .text(TextTest(relation, text, options))
            } else {
                self = .order(relation, value)
            }
        }

        /// Tests whether the value equals one of these; values of another type than the first are ignored.
        init(anyOf values: [Value], _ options: Options) {
            if case .string = values.first {
                let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
                self = .text(TextTest(anyOf: texts, options))
            } else {
                self = .anyOf(values)
            }
        }

        /// Returns whether the test holds; nil is an absent value.
        func holds(for value: Value?) -> Bool {
            switch self {
            case .text(let test):
                if case .string(let text)? = value { test.holds(for: text) } else { test.holdsForOthers }
            case .order(let relation, let operand): relation.holds(for: value?.order(to: operand))
            case .anyOf(let operands): operands.contains { value?.order(to: $0) == 0 }
            }
        }
    }
}

extension FileQuery.Operator {
    /// Returns whether this operator accepts an order; nil means that there is none, as with absent values.
    func holds(for order: Int?) -> Bool {
        guard let order else { return self == .notEqual }
        return switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        case .beginsWith, .contains, .endsWith, .like, .matches: false
        }
    }
}
