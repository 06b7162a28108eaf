import Foundation

/// A Swift type whose values a query compares with: `String`, `Int64`, `Double`, `Bool` and `Date`.
public protocol FileQueryLiteral: Sendable {
    /// The kind of value this type makes.
    static var queryValueType: FileQuery.ValueType { get }

    /// The value in a query.
    var queryValue: FileQuery.Value { get }
}

extension FileQuery {
    /// A key that knows the Swift type of its values, and so makes comparisons that the compiler checks.
    ///
    /// A provider's own: `let rating = FileQuery.Attribute<Int64>(custom: "rating")`, then `rating >= 4`.
    public struct Attribute<Literal: FileQueryLiteral>: Sendable {
        /// The key without the Swift type.
        public let key: Key

        init(_ key: Key) {
            assert(key.type == Literal.queryValueType)
            self.key = key
        }

        /// A provider's own property; see ``FileQuery/CustomKey/init(_:type:)`` for the name.
        public init(custom name: String) {
            key = Key(custom: name, type: Literal.queryValueType)
        }
    }
}

extension FileQuery.Attribute {
    /// Equal to the value; for nil, absent.
    public static func == (attribute: Self, value: Literal?) -> FileQuery {
        guard let value else { return .absent(attribute.key) }
        return .comparison(attribute.key, .equal, value.queryValue)
    }

    /// Another value or absent; for nil, present.
    public static func != (attribute: Self, value: Literal?) -> FileQuery {
        guard let value else { return .not(.absent(attribute.key)) }
        return .comparison(attribute.key, .notEqual, value.queryValue)
    }

    /// Smaller, earlier, or first in byte order.
    public static func < (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .less, value.queryValue)
    }

    /// Not larger, later, or last in byte order.
    public static func <= (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .lessOrEqual, value.queryValue)
    }

    /// Larger, later, or last in byte order.
    public static func > (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .greater, value.queryValue)
    }

    /// Not smaller, earlier, or first in byte order.
    public static func >= (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .greaterOrEqual, value.queryValue)
    }

    /// Equal to one of the values.
    public func isIn(_ values: [Literal]) -> FileQuery {
        .in(key, values.map(\.queryValue))
    }

    /// Between the two, both included.
    public func isBetween(_ low: Literal, and high: Literal) -> FileQuery {
        .between(key, low.queryValue, high.queryValue)
    }
}

extension String: FileQueryLiteral {
    /// Text.
    public static var queryValueType: FileQuery.ValueType { .string }
    /// The value in a query.
    public var queryValue: FileQuery.Value { .string(self) }
}

extension Int64: FileQueryLiteral {
    /// A whole number.
    public static var queryValueType: FileQuery.ValueType { .integer }
    /// The value in a query.
    public var queryValue: FileQuery.Value { .integer(self) }
}

extension Double: FileQueryLiteral {
    /// A number with a fraction.
    public static var queryValueType: FileQuery.ValueType { .decimal }
    /// The value in a query.
    public var queryValue: FileQuery.Value { .decimal(self) }
}

extension Bool: FileQueryLiteral {
    /// Yes or no.
    public static var queryValueType: FileQuery.ValueType { .bool }
    /// The value in a query.
    public var queryValue: FileQuery.Value { .bool(self) }
}

extension Date: FileQueryLiteral {
    /// A moment.
    public static var queryValueType: FileQuery.ValueType { .date }
    /// The value in a query.
    public var queryValue: FileQuery.Value { .date(self) }
}
