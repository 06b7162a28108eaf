import Foundation

extension FileQuery {
    /// One comparison of text. A class, because copying its parts for every file would cost more than comparing.
    final class TextTest: Sendable {
        private enum Relation: Sendable {
            case order(Operator, [UInt8])
            case prefix([UInt8])
            case infix([UInt8])
            case suffix([UInt8])
            case pattern(LikePattern)
            case expression(RegularExpression?)
            case anyOf(Set<[UInt8]>)
        }

        private let relation: Relation
        private let options: Options

        /// The result for a value that is not text, or is absent.
        let holdsForOthers: Bool

        init(_ relation: Operator, _ text: String, _ options: Options) {
            let operand = text.withFoldedUTF8(options, Array.init)
            self.options = options
            holdsForOthers = relation == .notEqual
            self.relation =
                switch relation {
                case .beginsWith: .prefix(operand)
                case .contains: .infix(operand)
                case .endsWith: .suffix(operand)
                case .like: .pattern(LikePattern(operand))
                // A pattern that does not compile matches nothing; the parser and the builder refuse it earlier.
                case .matches: .expression(try? RegularExpression(text, options))
                default: .order(relation, operand)
                }
        }

        init(anyOf texts: [String], _ options: Options) {
            self.options = options
            holdsForOthers = false
            relation = .anyOf(Set(texts.map { $0.withFoldedUTF8(options, Array.init) }))
        }

        func holds(for text: String) -> Bool {
            if case .expression(let expression) = relation { return expression?.matches(text) ?? false }
            return text.withFoldedUTF8(options) { bytes in
                switch relation {
                case .order(let relation, let operand): relation.holds(for: bytes.order(to: operand))
                case .prefix(let operand): bytes.hasBytes(operand, at: 0)
                case .infix(let operand): bytes.containsBytes(operand)
                case .suffix(let operand): bytes.hasBytes(operand, at: bytes.count - operand.count)
                case .pattern(let pattern): pattern.matches(bytes)
                case .expression: false
                case .anyOf(let texts): texts.contains(Array(bytes))
                }
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Compares by bytes: negative for before, zero for equal, positive for after.
    fileprivate func order(to other: [UInt8]) -> Int {
        let difference = compare(Swift.min(count, other.count), with: other, at: 0)
        return difference != 0 ? difference : count - other.count
    }

    /// Returns whether the other bytes are at this offset.
    fileprivate func hasBytes(_ other: [UInt8], at offset: Int) -> Bool {
        offset >= 0 && offset + other.count <= count && compare(other.count, with: other, at: offset) == 0
    }

    /// Returns whether the other bytes are anywhere in these.
    fileprivate func containsBytes(_ other: [UInt8]) -> Bool {
        guard let first = other.first, other.count <= count else { return other.isEmpty }
        return (0...count - other.count).contains { self[$0] == first && hasBytes(other, at: $0) }
    }

    private func compare(_ count: Int, with other: [UInt8], at offset: Int) -> Int {
        guard count > 0, let base = baseAddress else { return 0 }
        return Int(memcmp(base + offset, other, count))
    }
}
