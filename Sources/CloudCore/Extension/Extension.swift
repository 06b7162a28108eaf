/// What an extension does: `viewer`, `action`; apps make their own.
public struct ExtensionType: RawRepresentable, Hashable, Sendable {
    /// The name's text.
    public let rawValue: String

    /// The type of this name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Where in an app an extension is offered: `toolbar`, `share sheet`; apps make their own.
public struct ExtensionLocation: RawRepresentable, Hashable, Sendable {
    /// The name's text.
    public let rawValue: String

    /// The location of this name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Something that is plugged into an app: it says what it is good for, and is made when it is needed.
public struct Extension<Product: Sendable>: Sendable {
    /// What it does.
    public let type: ExtensionType
    /// Its own name, one of a kind within a type.
    public let identifier: String
    /// Where it may be offered; empty for everywhere.
    public let locations: Set<ExtensionLocation>
    /// What it can do and what it is, such as `mediaType: image/png`.
    public let features: [String: String]
    /// How good it is in general; the higher comes first where preferences do not decide.
    public let priority: Int
    /// Makes what it is for.
    public let make: @Sendable () throws -> Product

    /// An extension.
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

/// What an app looks for.
public struct ExtensionContext: Hashable, Sendable {
    /// What it is to do.
    public var type: ExtensionType
    /// One certain extension, or `nil` for any.
    public var identifier: String?
    /// Where it is to be offered, or `nil` where that does not matter.
    public var location: ExtensionLocation?
    /// Features that it must have.
    public var requirements: [String: String]
    /// Features that make it fit better.
    public var preferences: [String: String]

    /// A search.
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

/// How well an extension fits: by the preferences that it meets, then by its priority.
public struct ExtensionScore: Hashable, Sendable, Comparable {
    /// How many preferences it meets.
    public let preferences: Int
    /// The extension's own priority.
    public let priority: Int

    /// Worse before better.
    public static func < (a: ExtensionScore, b: ExtensionScore) -> Bool {
        (a.preferences, a.priority) < (b.preferences, b.priority)
    }
}

extension Extension {
    /// How well it fits, or `nil` when it does not: another type, name or place, or a requirement that it does not meet.
    public func score(in context: ExtensionContext) -> ExtensionScore? {
        guard type == context.type, identifier == context.identifier ?? identifier,
            context.requirements.allSatisfy({ features[$0] == $1 })
        else { return nil }
        if let location = context.location, !locations.isEmpty, !locations.contains(location) { return nil }
        return ExtensionScore(
            preferences: context.preferences.count { features[$0] == $1 }, priority: priority)
    }
}
