import Foundation

/// A Swift type whose values a query compares with: `String`, `Int64`, `Double`, `Bool` and `Date`.
public protocol FileQueryLiteral: Sendable {
    /// The type of the query value.
    static var queryValueType: FileQuery.ValueType { get }

    /// The value as a query holds it.
    var queryValue: FileQuery.Value { get }
}

extension FileQuery {
    /// A key that knows the Swift type of its values, so that the compiler checks comparisons.
    ///
    /// Define a provider's own with `let rating = FileQuery.Attribute<Int64>(custom: "rating")`, then write `rating >=
    /// 4`.
    public struct Attribute<Literal: FileQueryLiteral>: Sendable {
        /// The key without the Swift type.
        public let key: Key

        init(_ key: Key) {
            assert(key.type == Literal.queryValueType)
            self.key = key
        }

        /// Creates a key for a provider's own property; see ``FileQuery/CustomKey/init(_:type:)`` for the name.
        public init(custom name: String) {
            key = Key(custom: name, type: Literal.queryValueType)
        }
    }
}

extension FileQuery.Attribute {
    /// Matches files whose property equals the value; with nil, files without the property.
    public static func == (attribute: Self, value: Literal?) -> FileQuery {
        guard let value else { return .absent(attribute.key) }
        return .comparison(attribute.key, .equal, value.queryValue)
    }

    /// Matches files whose property has another value or is absent; with nil, files that have the property.
    public static func != (attribute: Self, value: Literal?) -> FileQuery {
        guard let value else { return .not(.absent(attribute.key)) }
        return .comparison(attribute.key, .notEqual, value.queryValue)
    }

    /// Matches values that are smaller, earlier, or first in byte order.
    public static func < (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .less, value.queryValue)
    }

    /// Matches values that are equal, smaller, earlier, or first in byte order.
    public static func <= (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .lessOrEqual, value.queryValue)
    }

    /// Matches values that are larger, later, or last in byte order.
    public static func > (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .greater, value.queryValue)
    }

    /// Matches values that are equal, larger, later, or last in byte order.
    public static func >= (attribute: Self, value: Literal) -> FileQuery {
        .comparison(attribute.key, .greaterOrEqual, value.queryValue)
    }

    /// Matches values equal to one of those given.
    public func isIn(_ values: [Literal]) -> FileQuery {
        .in(key, values.map(\.queryValue))
    }

    /// Matches values between the two, both included.
    public func isBetween(_ low: Literal, and high: Literal) -> FileQuery {
        .between(key, low.queryValue, high.queryValue)
    }
}

extension String: FileQueryLiteral {
    /// Text.
    public static var queryValueType: FileQuery.ValueType { .string }
    /// The value as a query holds it.
    public var queryValue: FileQuery.Value { .string(self) }
}

extension Int64: FileQueryLiteral {
    /// A whole number.
    public static var queryValueType: FileQuery.ValueType { .integer }
    /// The value as a query holds it.
    public var queryValue: FileQuery.Value { .integer(self) }
}

extension Double: FileQueryLiteral {
    /// A number with a fraction.
    public static var queryValueType: FileQuery.ValueType { .decimal }
    /// The value as a query holds it.
    public var queryValue: FileQuery.Value { .decimal(self) }
}

extension Bool: FileQueryLiteral {
    /// A Boolean.
    public static var queryValueType: FileQuery.ValueType { .bool }
    /// The value as a query holds it.
    public var queryValue: FileQuery.Value { .bool(self) }
}

extension Date: FileQueryLiteral {
    /// A point in time.
    public static var queryValueType: FileQuery.ValueType { .date }
    /// The value as a query holds it.
    public var queryValue: FileQuery.Value { .date(self) }
}
