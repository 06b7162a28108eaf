import FileProviding
import Foundation

/// Random well-typed queries with awkward values.
package struct RandomQuery {
    package static let customKeys = [
        FileQuery.Key(custom: "exposure", type: .decimal), FileQuery.Key(custom: "gallery.title", type: .string),
    ]

    private var generator: SeededGenerator
    private let keys = FileQuery.Key.known + customKeys
    private let texts: [String]

    /// - Parameter texts: texts that items have, so that comparisons also hold.
    package init(seed: UInt64, texts: [String] = []) {
        generator = SeededGenerator(seed: seed)
        self.texts = texts
    }

    package mutating func query(depth: Int = 5) -> FileQuery {
        switch roll(depth == 0 ? 7 : 12) {
        case 0: return roll(2) == 0 ? .all : .nothing
        case 1: return .absent(pick(keys))
        case 2: return .not(.absent(pick(keys)))
        case 3:
            let key = pick(keys)
            return .in(key, values(of: key.type, count: roll(4)), options(for: key))
        case 4:
            let key = pick(keys.filter { $0.type != .bool })
            return .between(key, value(of: key.type), value(of: key.type))
        case 5, 6: return comparison()
        case 7, 8: return .and(operands(depth: depth - 1))
        case 9, 10: return .or(operands(depth: depth - 1))
        default: return .not(query(depth: depth - 1))
        }
    }

    private mutating func operands(depth: Int) -> [FileQuery] {
        var operands: [FileQuery] = []
        for _ in 0..<2 + roll(3) { operands.append(query(depth: depth)) }
        return operands
    }

    private mutating func comparison() -> FileQuery {
        let key = pick(keys)
        switch key.type {
        case .string:
            let relation = pick(FileQuery.Operator.allCases)
            let text: FileQuery.Value =
                relation == .matches ? pick(["a+", "[\"'\\\\]", "\\d{2}|é"]) : value(of: .string)
            return .comparison(key, relation, text, options(for: key))
        case .bool: return .comparison(key, pick([.equal, .notEqual]), value(of: .bool))
        default:
            let relation: FileQuery.Operator = pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
            return .comparison(key, relation, value(of: key.type))
        }
    }

    private mutating func options(for key: FileQuery.Key) -> FileQuery.Options {
        key.type == .string ? FileQuery.Options(rawValue: UInt8(roll(4))) : []
    }

    private mutating func values(of type: FileQuery.ValueType, count: Int) -> [FileQuery.Value] {
        var values: [FileQuery.Value] = []
        for _ in 0..<count { values.append(value(of: type)) }
        return values
    }

    private mutating func value(of type: FileQuery.ValueType) -> FileQuery.Value {
        switch type {
        case .string: return .string(text())
        case .integer, .decimal: return roll(2) == 0 ? .integer(integer()) : .decimal(decimal())
        case .bool: return .bool(roll(2) == 0)
        case .date: return .date(Date(timeIntervalSinceReferenceDate: seconds()))
        }
    }

    private mutating func text() -> String {
        if !texts.isEmpty, roll(3) == 0 { return pick(texts) }
        var text = String.UnicodeScalarView()
        for _ in 0..<roll(8) {
            text.append(pick(Array("aZ 09\"'\\%*?\n\r\t\0\u{1F}\u{7F}é\u{301}\u{2028}日😀)}]".unicodeScalars)))
        }
        return String(text)
    }

    private mutating func integer() -> Int64 {
        pick([0, 1, -1, .max, .min, Int64(truncatingIfNeeded: generator.next())])
    }

    private mutating func decimal() -> Double {
        let random = Double(bitPattern: generator.next())
        return pick([
            0, -0.0, 0.1, 5, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, random.isNaN ? 1 : random,
        ])
    }

    private mutating func seconds() -> Double {
        let recent = Double.random(in: -2e9...2e9, using: &generator)
        return pick([recent, recent.rounded(), (recent * 1e3).rounded() / 1e3, recent * 1e-9, recent * 40, decimal()])
    }

    private mutating func roll(_ sides: Int) -> Int {
        Int.random(in: 0..<sides, using: &generator)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[roll(elements.count)]
    }
}
