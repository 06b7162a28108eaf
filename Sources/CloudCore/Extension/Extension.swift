/// The purpose of an extension: `viewer`, `action`; apps define their own.
public struct ExtensionType: RawRepresentable, Hashable, Sendable {
    /// The type's name.
    public let rawValue: String

    /// Creates a type with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The place in an app where an extension is offered: `toolbar`, `share sheet`; apps define their own.
public struct ExtensionLocation: RawRepresentable, Hashable, Sendable {
    /// The location's name.
    public let rawValue: String

    /// Creates a location with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A plug-in of an app: it describes what it is for, and is created when it is needed.
public struct Extension<Product: Sendable>: Sendable {
    /// The extension's purpose.
    public let type: ExtensionType
    /// The extension's name, unique within its type.
    public let identifier: String
    /// The locations where it may be offered; empty for everywhere.
    public let locations: Set<ExtensionLocation>
    /// What the extension can do and what it is, such as `mediaType: image/png`.
    public let features: [String: String]
    /// The general priority; the higher one comes first if preferences do not decide.
    public let priority: Int
    /// Creates the product.
    public let make: @Sendable () throws -> Product

    /// Creates an extension.
    public init(
        type: ExtensionType, identifier: String, locations: Set<ExtensionLocation> = [],
        features: [String: String] = [:], priority: Int = 0, making make: @escaping @Sendable () throws -> Product
    ) {
        self.type = type
        self.identifier = identifier
        self.locations = locations
        self.features = features
        self.priority = priority
        self.make = make
    }
}

/// The criteria of a search for extensions.
public struct ExtensionContext: Hashable, Sendable {
    /// The required purpose.
    public var type: ExtensionType
    /// The name of one particular extension, or `nil` for any.
    public var identifier: String?
    /// The location where it is to be offered, or `nil` if that does not matter.
    public var location: ExtensionLocation?
    /// Features that it must have.
    public var requirements: [String: String]
    /// Features that make it a better match.
    public var preferences: [String: String]

    /// Creates a search.
    public init(
        type: ExtensionType, identifier: String? = nil, location: ExtensionLocation? = nil,
        requirements: [String: String] = [:], preferences: [String: String] = [:]
    ) {
        self.type = type
        self.identifier = identifier
        self.location = location
        self.requirements = requirements
        self.preferences = preferences
    }
}

/// How well an extension matches: by the number of preferences that it meets, then by its priority.
public struct ExtensionScore: Hashable, Sendable, Comparable {
    /// The number of preferences that it meets.
    public let preferences: Int
    /// The extension's own priority.
    public let priority: Int

    /// Orders scores from worse to better.
    public static func < (a: ExtensionScore, b: ExtensionScore) -> Bool {
        (a.preferences, a.priority) < (b.preferences, b.priority)
    }
}

extension Extension {
    /// Returns how well it matches, or `nil` when it does not: another type, name or location, or a requirement that it
    /// does not meet.
    public func score(in context: ExtensionContext) -> ExtensionScore? {
        guard type == context.type, identifier == context.identifier ?? identifier,
            context.requirements.allSatisfy({ features[$0] == $1 })
        else { return nil }
        if let location = context.location, !locations.isEmpty, !locations.contains(location) { return nil }
        return ExtensionScore(
            preferences: context.preferences.count { features[$0] == $1 }, priority: priority)
    }
}
