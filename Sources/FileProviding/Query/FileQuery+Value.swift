import Foundation

extension FileQuery {
    /// The type of a property's values.
    public enum ValueType: String, Sendable, Hashable, Codable {
        /// Text.
        case string
        /// A whole number.
        case integer
        /// A number with a fraction.
        case decimal
        /// A Boolean.
        case bool
        /// A point in time.
        case date

        /// Whether values of this type are numbers, which can be compared with each other.
        var isNumber: Bool { self == .integer || self == .decimal }
    }

    /// A value that a property has, or is compared with.
    public enum Value: Sendable {
        /// Text.
        case string(String)
        /// A whole number.
        case integer(Int64)
        /// A number with a fraction.
        case decimal(Double)
        /// A Boolean.
        case bool(Bool)
        /// A point in time.
        case date(Date)

        /// The value's type.
        public var type: ValueType {
            switch self {
            case .string: .string
            case .integer: .integer
            case .decimal: .decimal
            case .bool: .bool
            case .date: .date
            }
        }
    }
}

/// Two values are the same if they are written the same: text by its bytes, numbers by their bits. So a query equals
/// itself even if it contains "not a number", and composed and decomposed names make different queries.
extension FileQuery.Value: Hashable {
    /// Returns whether both are written the same.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .integer(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left.bitPattern == right.bitPattern
        case (.bool(let left), .bool(let right)): left == right
        case (.date(let left), .date(let right)): left.bits == right.bits
        default: false
        }
    }

    /// Feeds the components that equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text):
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .integer(let number): hasher.combine(number)
        case .decimal(let number): hasher.combine(number.bitPattern)
        case .bool(let flag): hasher.combine(flag)
        case .date(let date): hasher.combine(date.bits)
        }
    }
}

extension Date {
    /// Bits that distinguish what `==` does not: zero and minus zero.
    fileprivate var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

extension FileQuery.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .decimal(value) }

    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
