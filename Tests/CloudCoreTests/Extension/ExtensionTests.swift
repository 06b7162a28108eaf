import Testing

@testable import CloudCore

@Suite struct ExtensionTests {
    private let viewer = ExtensionType(rawValue: "viewer")
    private let toolbar = ExtensionLocation(rawValue: "toolbar")
    private let registry = ExtensionRegistry<String>()

    private func register(
        _ identifier: String, _ features: [String: String] = [:], in locations: Set<ExtensionLocation> = [],
        priority: Int = 0
    ) {
        registry.register(
            Extension(
                type: viewer, identifier: identifier, locations: locations, features: features, priority: priority
            ) { identifier })
    }

    private func found(_ context: ExtensionContext) throws -> [String] {
        try registry.matches(for: context).map { try $0.found.make() }
    }

    @Test func `what fits better comes first, what fits equally well in the order of registration`() throws {
        for name in ["a", "b", "c", "d", "e"] { register(name) }
        register("fast", ["speed": "fast"])
        register("important", priority: 5)
        register("both", ["speed": "fast", "color": "yes"])
        let context = ExtensionContext(type: viewer, preferences: ["speed": "fast", "color": "yes"])
        #expect(try found(context) == ["both", "fast", "important", "a", "b", "c", "d", "e"])
    }

    @Test func `a requirement, a place, a type or a name that does not fit excludes`() throws {
        register("png", ["mediaType": "image/png"], in: [toolbar])
        register("any")
        let elsewhere = ExtensionLocation(rawValue: "menu")
        #expect(try found(ExtensionContext(type: viewer, requirements: ["mediaType": "image/png"])) == ["png"])
        #expect(try found(ExtensionContext(type: viewer, location: elsewhere)) == ["any"])
        #expect(try found(ExtensionContext(type: viewer, location: toolbar)) == ["png", "any"])
        #expect(try found(ExtensionContext(type: viewer, identifier: "any")) == ["any"])
        #expect(try found(ExtensionContext(type: ExtensionType(rawValue: "action"))).isEmpty)
    }

    @Test func `a later registration under the same name takes the earlier one's place`() throws {
        register("a")
        register("b")
        register("a", ["new": "yes"])
        #expect(try found(ExtensionContext(type: viewer)) == ["a", "b"])
        #expect(registry.matches(for: ExtensionContext(type: viewer))[0].found.features == ["new": "yes"])
        registry.unregister(viewer, identifier: "a")
        #expect(try found(ExtensionContext(type: viewer)) == ["b"])
    }
}
